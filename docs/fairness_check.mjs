// Checks a disclosure without the rules of the game: seed, chains, and all that chance
// gave. `node fairness_check.mjs disclosure.json [commitment]`; see fairness.md.
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";

// ---- formats -------------------------------------------------------------------------

const byCodePoint = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value !== null && typeof value === "object") {
    const keys = Object.keys(value).sort(byCodePoint);
    return `{${keys.map((key) => `${canonical(key)}:${canonical(value[key])}`).join(",")}}`;
  }
  return JSON.stringify(value).replace(/[\u007f-\uffff]/g, (character) =>
    `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

const sha256 = (...parts) =>
  parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest();
const hmac = (key, message) => createHmac("sha256", key).update(message).digest();
const bytes = (hex) => Buffer.from(hex, "hex");

// ---- chance --------------------------------------------------------------------------

function* blocks(key, label) {
  for (let number = 0; ; number += 1) {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(number);
    yield hmac(key, Buffer.concat([Buffer.from(label), count]));
  }
}

function* numbersOf(key) {
  for (const block of blocks(key, "anpai/draw")) {
    for (let at = 0; at < 32; at += 4) yield block.readUInt32BE(at);
  }
}

function* handlesOf(key) {
  for (const block of blocks(key, "anpai/handle")) {
    for (let at = 0; at < 60; at += 12) yield block.toString("hex").slice(at, at + 12);
  }
}

class Chance {
  constructor(key) {
    this.numbers = numbersOf(key);
    this.handles = handlesOf(key);
  }
  below(bound) {
    for (const number of { [Symbol.iterator]: () => ({ next: () => this.numbers.next() }) }) {
      if (number < 2 ** 32 - (2 ** 32 % bound)) return number % bound;
    }
  }
  shuffle(list) {
    for (let last = list.length - 1; last > 0; last -= 1) {
      swap(list, last, this.below(last + 1));
    }
  }
  sample(total, number) {
    const lots = [...Array(total).keys()];
    for (let at = 0; at < number; at += 1) swap(lots, at, at + this.below(total - at));
    return lots.slice(0, number);
  }
}

const swap = (list, one, other) => ([list[one], list[other]] = [list[other], list[one]]);

// ---- the table -----------------------------------------------------------------------

class Holdings {
  constructor(table, seed) {
    Object.assign(this, { table, seed, head: sha256(seed).toString("hex"), key: null });
    Object.assign(this, { faces: [], decks: {}, cards: new Map(), given: new Set() });
    this.seen = new Map();
  }
  resolve(digest, operations) {
    if (operations[0].at(-1) === "begin") {
      const [nonces] = operations[0];
      this.key = hmac(this.seed, canonical(["anpai/key", this.table, nonces]));
    }
    if (this.key !== null) this.key = hmac(this.key, bytes(digest));
    this.head = sha256(bytes(this.head), bytes(digest)).toString("hex");
    const chance = new Chance(this.key);
    return operations.map((one) => this[one.at(-1)](chance, ...one.slice(0, -1)));
  }
  begin() {
    return [[], []];
  }
  build(chance, deck, faces) {
    this.decks[deck] = faces.map((face) => this.faces.push(face) - 1);
    chance.shuffle(this.decks[deck]);
    return [[], []];
  }
  draw(chance, deck, number, seats) {
    const drawn = Array.from({ length: number }, () => this.decks[deck].pop());
    return [this.name(chance, drawn, seats), []];
  }
  find(chance, deck, faces, number, seats) {
    const fits = (card) => faces.includes(this.faces[card]);
    const found = this.decks[deck].toReversed().filter(fits).slice(0, number);
    this.decks[deck] = this.decks[deck].filter((card) => !found.includes(card));
    return [this.name(chance, found, seats), []];
  }
  shuffle(chance, deck, handles) {
    this.decks[deck].push(...this.forget(handles));
    chance.shuffle(this.decks[deck]);
    return [[], []];
  }
  stack(chance, deck, handles, under) {
    const cards = this.forget(handles);
    if (under) this.decks[deck].unshift(...cards);
    else this.decks[deck].push(...cards.reverse());
    return [[], []];
  }
  show(chance, handles, seats) {
    for (const handle of handles) this.seen.set(handle, this.seen.get(handle) || seats.length > 0);
    return [handles.map((handle) => this.told(handle)), []];
  }
  conceal(chance, handles, seats) {
    return [this.name(chance, this.forget(handles), seats), []];
  }
  mix(chance, handles, seats) {
    const cards = this.forget(handles);
    chance.shuffle(cards);
    return [this.name(chance, cards, seats), []];
  }
  roll(chance, sides, dice) {
    return [[], Array.from({ length: dice }, () => 1 + chance.below(sides))];
  }
  pick(chance, total, number) {
    return [[], chance.sample(total, number)];
  }
  seal() {
    return [[], []];
  }
  forget(handles) {
    const cards = handles.map((handle) => this.cards.get(handle));
    for (const handle of handles) this.cards.delete(handle);
    return cards;
  }
  name(chance, cards, seats) {
    return cards.map((card) => {
      let handle = chance.handles.next().value;
      while (this.given.has(handle)) handle = chance.handles.next().value;
      this.given.add(handle);
      this.cards.set(handle, card);
      this.seen.set(handle, seats.length > 0);
      return this.told(handle);
    });
  }
  told(handle) {
    return [handle, this.seen.get(handle) ? this.faces[this.cards.get(handle)] : null];
  }
}

// ---- the check -----------------------------------------------------------------------

function same(where, told, made) {
  if (canonical(told) !== canonical(made)) throw new Error(`${where} differs`);
}

// Seats and choices that may have moved the table when a batch was asked for.
function movers([, kind, seat, , choice], operations, sealed) {
  const verb = operations[0].at(-1);
  if (verb === "begin") return [[-1, null]];
  if (verb === "seal") return [[operations[0][0], operations[0][1]]];
  const mover = kind === "answer" ? [seat, choice ?? sealed] : [seat, null];
  const asked = [...Array(64).keys()].map((other) => [other, null]);
  return verb === "pick" && operations.length === 1 ? [mover, ...asked] : [mover];
}

function check(paper, commitment) {
  const seed = bytes(paper.seed);
  const holdings = new Holdings(paper.table, seed);
  const veil = hmac(seed, "anpai/veil");
  if (commitment) same("commitment", commitment, holdings.head);
  same("commitment of the opening", paper.journal[0][10].commitment, holdings.head);
  let hash = "0".repeat(64);
  let next = 0;
  for (const entry of paper.journal) {
    let sealed = null;
    while (holdings.head !== entry[6]) {
      const [digest, head, operations, results] = paper.ledger[next];
      const where = `batch ${next + 1} of the ledger`;
      if (operations[0].at(-1) === "seal") sealed = operations[0][1];
      const digests = movers(entry, operations, sealed).map(([seat, choice]) =>
        hmac(veil, canonical([hash, seat, choice, operations])).toString("hex"));
      if (!digests.includes(digest)) throw new Error(`digest of ${where} differs`);
      same(`result of ${where}`, results, holdings.resolve(digest, operations));
      same(`head of ${where}`, head, holdings.head);
      next += 1;
    }
    hash = sha256(hash, canonical(entry.slice(0, 11))).toString("hex");
    same(`hash of entry ${entry[0]}`, entry[11], hash);
  }
  same("length of the ledger", paper.ledger.length, next);
  return { entries: paper.journal.length, batches: next };
}

const [file, commitment] = process.argv.slice(2);
try {
  const { entries, batches } = check(JSON.parse(readFileSync(file, "utf8")), commitment);
  console.log(`Agrees: ${batches} batches of chance, ${entries} entries of the journal.`);
} catch (error) {
  console.error(`Does not agree: ${error.message}.`);
  process.exitCode = 1;
}
