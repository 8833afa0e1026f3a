// Plays a game of Anpai from the protos alone: no code of ours, no stubs.
//   npm ci
//   node player.mjs --server play.example.org:443 --game skirmish --seats 2 --bots 1
// Prints one JSON line: the table, the outcome, every answer that was accepted, how often
// the stream was resumed, and what was promised before the game. The disclosure is written
// to --disclosure.
import { randomBytes, randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";

const { values: told } = parseArgs({
  options: {
    server: { type: "string" },
    ca: { type: "string" },
    plain: { type: "boolean", default: false },
    protos: { type: "string", default: new URL("../../../protos", import.meta.url).pathname },
    name: { type: "string", default: "Anna" },
    game: { type: "string", default: "skirmish" },
    variant: { type: "string", default: "" },
    seats: { type: "string", default: "2" },
    bots: { type: "string", default: "0" },
    think: { type: "string", default: "0" }, // milliseconds before each answer
    disclosure: { type: "string" },
  },
});

// ---- the contract --------------------------------------------------------------------

const { anpai } = grpc.loadPackageDefinition(
  loadSync(
    ["matchmaking/v1/matchmaking", "engine/v1/engine", "audit/v1/audit"].map(
      (name) => `anpai/${name}_service.proto`,
    ),
    // Names as in the protos; a field that may be absent is absent, any other has its zero.
    {
      includeDirs: [told.protos],
      keepCase: true,
      longs: Number, // they count revisions, and stay small
      enums: String,
      defaults: true,
      oneofs: true,
    },
  ),
);

const roots = told.ca && readFileSync(told.ca);
const wire = told.plain ? grpc.credentials.createInsecure() : grpc.credentials.createSsl(roots);

// The service at its address; calls carry who calls and about which table.
function dial(Service, address) {
  const client = new Service(address, wire);
  const metadata = (table) => {
    const all = new grpc.Metadata();
    if (token) all.set("authorization", `Bearer ${token}`);
    if (table) all.set("x-anpai-table", table);
    return all;
  };
  return {
    ask: (method, request) =>
      new Promise((resolve, reject) =>
        client[method](
          request,
          metadata(request.table_id),
          { deadline: Date.now() + 10_000 },
          (error, reply) => (error ? reject(error) : resolve(reply)),
        ),
      ),
    follow: (method, request) => client[method](request, metadata(request.table_id)),
    sit: (table) => client.Sit(metadata(table)),
    close: () => client.close(),
  };
}

let token = "";

// What is safe to repeat is repeated while nobody answers.
async function insist(ask) {
  for (let wait = 50; ; wait = Math.min(2 * wait, 2000)) {
    try {
      return await ask();
    } catch (error) {
      if (error.code !== grpc.status.UNAVAILABLE) throw error;
      await pause(wait);
    }
  }
}

// ---- finding a seat ------------------------------------------------------------------

async function findSeat(matchmaking) {
  ({ token } = await matchmaking.ask("SignIn", { name: told.name, bot: true }));
  const wish = {
    game: told.game,
    variant: told.variant,
    seats: Number(told.seats),
    bots: Number(told.bots),
  };
  const request = { request_id: randomUUID(), wish };
  const { ticket } = await insist(() => matchmaking.ask("CreateTicket", request));
  return insist(async () => {
    for await (const { ticket: now } of matchmaking.follow("WatchTicket", { ticket_id: ticket.id })) {
      if (now.state === "TICKET_STATE_ASSIGNED") return now.assignment;
      if (now.state === "TICKET_STATE_CLOSED") throw new Error(`closed: ${now.closed_because}`);
    }
    throw Object.assign(new Error("the stream ended"), { code: grpc.status.UNAVAILABLE });
  });
}

// ---- playing -------------------------------------------------------------------------

// One seat's game. What was heard last is kept, so that a broken stream is resumed.
class Seat {
  constructor(engine, assignment, seat) {
    Object.assign(this, { engine, table: assignment.table_id, seat });
    Object.assign(this, { question: null, revision: null, past: null, outcome: null });
    this.pending = new Map();
    this.accepted = [];
    this.streams = 0;
  }

  // To the end, through as many streams as it takes.
  async play() {
    await insist(async () => {
      this.streams += 1;
      const line = this.engine.sit(this.table);
      const enter = { table_id: this.table };
      if (this.revision !== null) enter.after_revision = this.revision;
      if (this.past !== null) enter.past = this.past;
      line.write({ enter });
      for (const answer of this.pending.values()) line.write({ answer });
      try {
        for await (const response of line) {
          this.hear(response);
          if (this.question) await this.answer(line);
          if (this.outcome && this.pending.size === 0) return line.cancel();
        }
      } catch (error) {
        if (error.code !== grpc.status.OUT_OF_RANGE) throw error;
        this.revision = this.past = null; // we saw what is undone: begin with a view
        error.code = grpc.status.UNAVAILABLE;
        throw error;
      }
      if (this.outcome) return;
      throw Object.assign(new Error("the stream ended"), { code: grpc.status.UNAVAILABLE });
    });
  }

  hear({ update, accepted, refused }) {
    if (accepted && this.pending.delete(accepted.answer_id)) {
      this.accepted.push(accepted.answer_id);
    }
    if (refused) this.refuse(refused);
    if (update?.undone) console.error("the server has lost the last moves");
    if (update?.view) this.look(update.view);
    for (const event of update?.events?.events ?? []) this.happen(event);
    if (update?.view || update?.events) this.past = update.past;
    if (accepted?.past.length && accepted.revision === this.revision) this.past = accepted.past;
  }

  // What is not open any more was answered by others, or by the clock. What nobody can tell
  // yet is sent again, unchanged, on a new stream.
  refuse({ answer_id: id, refusal }) {
    if (!["QUESTION_STALE", "TABLE_ENDED"].includes(refusal.reason)) {
      throw Object.assign(new Error(`${refusal.reason}: ${refusal.message}`), refusal);
    }
    this.pending.delete(id);
  }

  look(view) {
    this.revision = view.revision;
    this.outcome = view.outcome;
    this.question = view.question;
  }

  happen(event) {
    if (event.revision !== this.revision + 1) throw new Error("there is a hole");
    this.revision = event.revision;
    if (event.questions_answered?.seats.includes(this.seat)) this.question = null;
    if (event.questions_asked?.question) this.question = event.questions_asked.question;
    if (event.ended) this.outcome = event.ended.outcome;
  }

  // The first options there are, and one at least if there is any.
  async answer(line) {
    await pause(Number(told.think));
    const { id, min, max, kind } = this.question;
    const { options } = this.question[kind];
    const choice = options.slice(0, Math.max(min, Math.min(1, max))).map((one) => one.id);
    const answer = { question_id: id, answer_id: randomUUID(), choice };
    this.pending.set(answer.answer_id, answer);
    line.write({ answer });
    this.question = null;
  }
}

async function disclosureOf(audit, table) {
  for (let tries = 100; ; tries -= 1) {
    const pieces = [];
    try {
      for await (const { data } of audit.follow("GetDisclosure", { table_id: table })) {
        pieces.push(data);
      }
      return Buffer.concat(pieces);
    } catch (error) {
      if (tries === 0) throw error; // it follows the outcome a moment later
      await pause(100);
    }
  }
}

// ---- an evening ----------------------------------------------------------------------

const matchmaking = dial(anpai.matchmaking.v1.MatchmakingService, told.server);
const assignment = await findSeat(matchmaking);
const directory = await insist(() => matchmaking.ask("GetDirectory", {}));
const engine = dial(anpai.engine.v1.EngineService, assignment.engine_address);
const audit = dial(anpai.audit.v1.AuditService, directory.audit);

const take = { table_id: assignment.table_id, nonce: randomBytes(32) };
const { seat, commitment } = await insist(() => engine.ask("TakeSeat", take));
if (commitment !== assignment.commitment) throw new Error("this is another table");
const playing = new Seat(engine, assignment, seat);
await playing.play();

const disclosure = await disclosureOf(audit, assignment.table_id);
if (told.disclosure) writeFileSync(told.disclosure, disclosure);
const { table, accepted, outcome, streams } = playing;
const resumed = streams - 1;
console.log(JSON.stringify({ table, seat, commitment, accepted, outcome, resumed }));
for (const client of [matchmaking, engine, audit]) client.close();
