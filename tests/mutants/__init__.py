"""Do the tests notice when the code is wrong? Small mistakes are made on purpose."""
