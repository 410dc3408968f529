"use strict";
var __defProp = Object.defineProperty;
var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
var __getOwnPropNames = Object.getOwnPropertyNames;
var __hasOwnProp = Object.prototype.hasOwnProperty;
var __export = (target, all) => {
  for (var name in all)
    __defProp(target, name, { get: all[name], enumerable: true });
};
var __copyProps = (to, from, except, desc) => {
  if (from && typeof from === "object" || typeof from === "function") {
    for (let key of __getOwnPropNames(from))
      if (!__hasOwnProp.call(to, key) && key !== except)
        __defProp(to, key, { get: () => from[key], enumerable: !(desc = __getOwnPropDesc(from, key)) || desc.enumerable });
  }
  return to;
};
var __toCommonJS = (mod) => __copyProps(__defProp({}, "__esModule", { value: true }), mod);

// src/tasks/run-task.ts
var run_task_exports = {};
__export(run_task_exports, {
  runTask: () => runTask
});
module.exports = __toCommonJS(run_task_exports);

// src/persist/paths.ts
var import_node_fs = require("node:fs");
var import_node_path = require("node:path");
var privateFolder = 448;
var privateFile = 384;
function statePaths(root) {
  const inbox = (0, import_node_path.join)(root, "inbox");
  return {
    root,
    inbox,
    rejected: (0, import_node_path.join)(inbox, "rejected"),
    answers: (0, import_node_path.join)(root, "answers"),
    alive: (0, import_node_path.join)(root, "alive"),
    lease: (0, import_node_path.join)(root, "lease.json"),
    leaseLock: (0, import_node_path.join)(root, "lease.lock"),
    connection: (0, import_node_path.join)(root, "connection.json"),
    status: (0, import_node_path.join)(root, "status.json"),
    notice: (0, import_node_path.join)(root, "notice"),
    log: (0, import_node_path.join)(root, "worker.log"),
    targets: (0, import_node_path.join)(root, "targets")
  };
}
var spareStateDir = (pluginDir) => (0, import_node_path.join)(pluginDir, "data");
function usable(dir) {
  try {
    (0, import_node_fs.accessSync)((0, import_node_path.dirname)(dir));
    (0, import_node_fs.mkdirSync)((0, import_node_path.join)(dir, "inbox"), { recursive: true, mode: privateFolder });
    (0, import_node_fs.accessSync)((0, import_node_path.join)(dir, "inbox"), import_node_fs.constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
function chooseStateDir(place, env) {
  const preferred = env.SLUICE_STATE_DIR ? (0, import_node_path.resolve)(env.SLUICE_STATE_DIR) : (0, import_node_path.join)(place.dir, "sluice-data");
  if (usable(preferred) || env.SLUICE_STATE_DIR) return preferred;
  const spare = spareStateDir(place.pluginDir);
  return usable(spare) ? spare : preferred;
}

// src/persist/pointer.ts
var import_node_fs2 = require("node:fs");
var import_node_path2 = require("node:path");
var pointerName = "state-dir";
function leavePointer(distDir, stateDir) {
  const text = `${stateDir}
${process.execPath}
`;
  if (process.platform === "win32" || text.split("\n").length !== 3) return;
  const path = (0, import_node_path2.join)(distDir, pointerName);
  try {
    if ((0, import_node_fs2.readFileSync)(path, "utf8") === text) return;
  } catch {
  }
  try {
    const mine = `${path}.${process.pid}`;
    (0, import_node_fs2.writeFileSync)(mine, text, { mode: privateFile });
    (0, import_node_fs2.renameSync)(mine, path);
  } catch {
  }
}

// src/stash/connection.ts
var import_node_path3 = require("node:path");
function parseServerConnection(value, own) {
  const at = reader(value, "server_connection");
  const cookie = at.optional("SessionCookie");
  return {
    scheme: schemeOf(at.text("Scheme"), "server_connection.Scheme"),
    host: at.text("Host"),
    port: at.port("Port"),
    cookie: cookie === null ? null : cookieOf(reader(cookie, "server_connection.SessionCookie"), "Name", "Value"),
    dir: absolute(at.filled("Dir"), own?.dir),
    pluginDir: absolute(at.filled("PluginDir"), own?.pluginDir)
  };
}
var absolute = (path, instead) => instead === void 0 || (0, import_node_path3.isAbsolute)(path) ? (0, import_node_path3.resolve)(path) : instead;
function reader(value, name) {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error(`${name} is missing`);
  const object = { ...value };
  const required = (key) => {
    if (object[key] === void 0 || object[key] === null) throw new Error(`${name}.${key} is missing`);
    return object[key];
  };
  const text = (key) => {
    const found = required(key);
    if (typeof found !== "string") throw new Error(`${name}.${key} is not text`);
    return found;
  };
  return {
    optional: (key) => object[key] ?? null,
    text,
    filled: (key) => {
      const found = text(key);
      if (found === "") throw new Error(`${name}.${key} is empty`);
      return found;
    },
    port: (key) => {
      const found = required(key);
      if (typeof found === "number" && Number.isInteger(found) && found > 0 && found < 65536) return found;
      throw new Error(`${name}.${key} is not a port number`);
    }
  };
}
function schemeOf(text, name) {
  if (text === "http" || text === "https") return text;
  throw new Error(`${name} is neither http nor https`);
}
function cookieOf(at, nameKey, valueKey) {
  const name = at.filled(nameKey);
  const value = at.text(valueKey);
  return value === "" ? null : { name, value };
}

// src/queue/inbox-message.ts
var BadInput = class extends Error {
};
var known = {
  Scene: ["Create", "Update", "Destroy"],
  Performer: ["Update", "Destroy"],
  Studio: ["Update", "Destroy"],
  Tag: ["Update", "Destroy", "Merge"],
  Group: ["Update", "Destroy"]
};
var hookTypes = Object.entries(known).flatMap(
  ([object, actions]) => actions.map((action) => `${object}.${action}.Post`)
);
function parseStashInput(text) {
  if (text.trim() === "") throw new BadInput("the input is empty: Stash sent nothing");
  let input;
  try {
    input = JSON.parse(text);
  } catch {
    throw new BadInput("the input is not JSON");
  }
  if (!isObject(input)) throw new BadInput("the input is not a JSON object");
  return input;
}
function connectionOf(input, own) {
  try {
    return parseServerConnection(input.server_connection, own);
  } catch (error) {
    throw new BadInput(error instanceof Error ? error.message : String(error));
  }
}
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// src/shared/clock.ts
var longestSleepMs = 36e5;
var systemClock = {
  now: () => Date.now(),
  sleep: (ms, signal) => new Promise((resolve3) => {
    if (signal?.aborted || ms <= 0) return resolve3();
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve3();
    };
    const timer = setTimeout(done, Math.min(ms, longestSleepMs));
    signal?.addEventListener("abort", done, { once: true });
  })
};

// src/shared/errors.ts
function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}
function codeOf(error) {
  if (typeof error !== "object" || error === null || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}
var plainWords = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EACCES: "no permission",
  EPERM: "no permission",
  EROFS: "it is on a read-only file system",
  ENOENT: "it does not exist",
  ENOTDIR: "a part of the path is not a folder",
  EISDIR: "it is a folder",
  EIO: "the disk reports an error"
};
function describeFileError(error) {
  return plainWords[codeOf(error)] || messageOf(error);
}

// src/shared/secrets.ts
var known2 = /* @__PURE__ */ new Set();
var cookies = /* @__PURE__ */ new Set();
var mostCookies = 500;
var shortestSecret = 6;
function registerCookie(cookie) {
  register(cookie, cookies);
  for (const oldest of cookies) {
    if (cookies.size <= mostCookies) break;
    cookies.delete(oldest);
  }
}
function register(secret, among) {
  if (!secret || secret.length < shortestSecret) return;
  for (const form of [secret, encodeURIComponent(secret.toWellFormed())]) {
    among.delete(form);
    among.add(form);
  }
}
function redact(text) {
  let clean = text;
  for (const secret of [...known2, ...cookies]) clean = clean.replaceAll(secret, "***");
  return clean.replace(/(:\/\/)[^/\s@]+@/g, "$1***@").replace(/(X-Plex-Token=|apikey=)[^&\s"']+/gi, "$1***");
}

// src/stash/log-protocol.ts
var import_node_fs3 = require("node:fs");
var longestLine = 8e3;
function stashLog(write = writeToStderr) {
  const say = (level, message) => {
    const lines = redact(message).split(/[\r\n]+/).map(presentable).filter(Boolean);
    if (lines.length > 0) write(lines.map((line) => `${level}${line}
`).join(""));
  };
  return {
    debug: (message) => say("d", message),
    info: (message) => say("i", message),
    warn: (message) => say("w", message),
    error: (message) => say("e", message),
    progress: (fraction) => {
      if (!Number.isNaN(fraction)) say("p", Math.min(1, Math.max(0, fraction)).toFixed(4));
    }
  };
}
function presentable(line) {
  const text = line.replace(/\t/g, " ").replace(new RegExp("\\p{Cc}", "gu"), "").trim();
  if (text.length <= longestLine) return text;
  return `${text.slice(0, longestLine).replace(/[\ud800-\udbff]$/, "")} …`;
}
var writeToStderr = (text) => writeFully(text, (bytes) => (0, import_node_fs3.writeSync)(2, bytes));
var patienceMs = 2e3;
var pauseMs = 5;
function writeFully(text, write, wait = waitInPlace) {
  let rest = Buffer.from(text);
  let waitedMs = 0;
  while (rest.length > 0) {
    try {
      rest = rest.subarray(write(rest));
      waitedMs = 0;
    } catch (error) {
      if (codeOf(error) !== "EAGAIN" || waitedMs >= patienceMs) return;
      wait(pauseMs);
      waitedMs += pauseMs;
    }
  }
}
function waitInPlace(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

// src/tasks/ask-worker.ts
var import_node_crypto = require("node:crypto");
var import_node_fs7 = require("node:fs");
var import_node_path6 = require("node:path");

// src/queue/inbox.ts
var import_node_fs4 = require("node:fs");
var import_node_path4 = require("node:path");
var finished = ".json";
var unfinished = ".part";
function leaveInInbox(inbox, text) {
  (0, import_node_fs4.mkdirSync)(inbox, { recursive: true, mode: privateFolder });
  const { fd, name } = createNew(inbox);
  const part = (0, import_node_path4.join)(inbox, name + unfinished);
  try {
    try {
      const bytes = Buffer.from(text);
      for (let done = 0; done < bytes.length; ) done += (0, import_node_fs4.writeSync)(fd, bytes, done);
      (0, import_node_fs4.fsyncSync)(fd);
    } finally {
      (0, import_node_fs4.closeSync)(fd);
    }
    (0, import_node_fs4.renameSync)(part, (0, import_node_path4.join)(inbox, name + finished));
  } catch (error) {
    (0, import_node_fs4.unlinkSync)(part);
    throw error;
  }
  return (0, import_node_path4.join)(inbox, name + finished);
}
function inboxNames(inbox) {
  try {
    return (0, import_node_fs4.readdirSync)(inbox).filter((name) => name.endsWith(finished) || name.endsWith(unfinished));
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    return [];
  }
}
function createNew(inbox) {
  for (; ; ) {
    const name = `${Date.now()}-${process.pid}-${Math.random().toString(36).slice(2, 10)}`;
    try {
      return { name, fd: (0, import_node_fs4.openSync)((0, import_node_path4.join)(inbox, name + unfinished), "wx", privateFile) };
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
  }
}

// src/queue/wake.ts
var import_node_fs6 = require("node:fs");
var import_node_path5 = require("node:path");

// src/shared/process.ts
var import_node_fs5 = require("node:fs");
var stateField = 0;
var startField = 19;
function statOf(pid) {
  try {
    const text = (0, import_node_fs5.readFileSync)(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return null;
  }
}
function readName(path) {
  try {
    const [pid = "", ticks = ""] = (0, import_node_fs5.readFileSync)(path, "utf8").trim().split(" ");
    return /^[1-9]\d*$/.test(pid) ? { pid: Number(pid), ticks } : null;
  } catch {
    return null;
  }
}
function isRunning({ pid, ticks }) {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = statOf(pid);
  if (!stat) return true;
  if (stat[stateField] === "Z" || stat[stateField] === "X") return false;
  return ticks === "" || stat[startField] === ticks;
}

// src/queue/wake.ts
var slotMs = 2e4;
var mostTriesPerSlot = 20;
function wake(stateDir, event, start) {
  if (isTakenCareOf(stateDir, event)) return "alive";
  const claim = claimStart(stateDir);
  if (claim === null) return "starting elsewhere";
  if (isTakenCareOf(stateDir, event)) {
    removeQuietly(claim);
    return "alive";
  }
  start(claim);
  return "started";
}
function isTakenCareOf(stateDir, event) {
  const { alive } = statePaths(stateDir);
  try {
    if ((0, import_node_fs6.statSync)(alive).mtimeMs <= (0, import_node_fs6.statSync)(event).mtimeMs) return false;
  } catch {
    return !(0, import_node_fs6.existsSync)(event);
  }
  const name = readName(alive);
  return name !== null && isRunning(name);
}
function claimStart(stateDir) {
  const slot = Math.floor(Date.now() / slotMs);
  for (let n = 0; n < mostTriesPerSlot; n++) {
    const claim = (0, import_node_path5.join)(stateDir, `starting-${slot}-${n}`);
    try {
      (0, import_node_fs6.writeFileSync)(claim, `${process.pid}
`, { flag: "wx", mode: privateFile });
      return claim;
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
    const who = readName(claim);
    if (who === null || isRunning(who)) return null;
  }
  return null;
}
function startDetached(where) {
  const { distDir, stateDir, pluginDir } = where;
  return (claim) => {
    const { spawn } = process.getBuiltinModule("node:child_process");
    const child = spawn(process.execPath, [(0, import_node_path5.join)(distDir, "worker.js"), stateDir, pluginDir], {
      cwd: stateDir,
      detached: true,
      stdio: "ignore",
      windowsHide: true
    });
    child.on("error", () => {
    });
    child.unref();
    if (child.pid) (0, import_node_fs6.writeFileSync)(claim, `${child.pid}
`, { mode: privateFile });
  };
}
function removeQuietly(path) {
  try {
    (0, import_node_fs6.unlinkSync)(path);
  } catch {
  }
}

// src/shared/answer.ts
function parseAnswer(text) {
  const value = JSON.parse(text);
  if (typeof value !== "object" || value === null) return null;
  const { done, message, failed, progress } = value;
  if (typeof done !== "boolean" || typeof message !== "string") return null;
  return {
    done,
    message,
    ...failed === true && { failed },
    ...typeof progress === "number" && { progress }
  };
}

// src/tasks/ask-worker.ts
var lookEveryMs = 100;
var wakeEveryMs = 2e3;
var patienceMs2 = 4e4;
async function askWorker(context, command, args = {}) {
  const { paths, clock, log } = context;
  const id = (0, import_node_crypto.randomUUID)();
  const wakeAgain = leaveCommand(context, { command, id, args });
  const path = (0, import_node_path6.join)(paths.answers, `${id}.json`);
  let last = "";
  for (let waitedMs = 0; waitedMs < patienceMs2; waitedMs += lookEveryMs) {
    const answer = readAnswer(path);
    if (answer && answer.message !== last) {
      last = answer.message;
      waitedMs = 0;
      if (answer.progress !== void 0) log.progress(answer.progress);
    }
    if (answer?.done) {
      (0, import_node_fs7.rmSync)(path, { force: true });
      if (answer.failed) throw new Error(answer.message);
      return answer.message;
    }
    await clock.sleep(lookEveryMs);
    if (waitedMs % wakeEveryMs === 0) wakeAgain();
  }
  if (last !== "") return `${last} The worker goes on in the background.`;
  throw new Error(
    `The background worker did not answer within ${patienceMs2 / 1e3} s. What you asked for is recorded and will be done when it runs. Its log is ${paths.log}.`
  );
}
function leaveCommand(context, sluice) {
  const { paths, pluginDir, distDir, serverConnection } = context;
  const text = JSON.stringify({ sluice, server_connection: serverConnection });
  const event = leaveInInbox(paths.inbox, text);
  const start = startDetached({ distDir, stateDir: paths.root, pluginDir });
  const wakeIt = () => void wake(paths.root, event, start);
  wakeIt();
  return wakeIt;
}
function readAnswer(path) {
  try {
    return parseAnswer((0, import_node_fs7.readFileSync)(path, "utf8"));
  } catch {
    return null;
  }
}

// src/shared/words.ts
var counted = (count, one, many) => `${count} ${count === 1 ? one : many}`;

// src/tasks/status.ts
var import_node_crypto2 = require("node:crypto");
var import_node_fs8 = require("node:fs");

// src/shared/version.ts
var version = true ? "0.1.0" : "0.0.0";

// src/tasks/status.ts
var wakeWaitMs = 5e3;
var lookEveryMs2 = 100;
async function currentStatus(context) {
  const status = readStatus(context);
  if (status.worker.alive || status.inbox === 0 && status.queue.waiting === 0) return status;
  leaveCommand(context, { command: "process", id: (0, import_node_crypto2.randomUUID)() });
  for (let waitedMs = 0; waitedMs < wakeWaitMs; waitedMs += lookEveryMs2) {
    await context.clock.sleep(lookEveryMs2);
    const now = readStatus(context);
    if (now.worker.alive && now.inbox === 0) return now;
  }
  return readStatus(context);
}
function readStatus({ paths }) {
  const status = readFile(paths.status) ?? unknownStatus;
  const name = readName(paths.alive);
  const alive = name !== null && isRunning(name) && status.worker.pid === name.pid;
  return {
    ...status,
    worker: alive ? status.worker : { alive: false, pid: null, since: null },
    inbox: inboxNames(paths.inbox).length
  };
}
function readFile(path) {
  try {
    const status = JSON.parse((0, import_node_fs8.readFileSync)(path, "utf8"));
    return status?.queue && status.targets && status.worker && status.stash ? status : null;
  } catch {
    return null;
  }
}
var unknownStatus = {
  version,
  paused: false,
  worker: { alive: false, pid: null, since: null },
  stash: { reachable: false, since: null, error: "not asked yet" },
  inbox: 0,
  queue: { waiting: 0, due: 0, inFlight: 0, parked: 0, retrying: 0, fanOuts: 0 },
  deadLetters: 0,
  targets: {}
};
function statusInWords(status, { paths }) {
  const { queue, stash, worker, deadLetters } = status;
  const lines = [
    workerInWords(status, paths.log),
    `${counted(queue.waiting, "scene waits", "scenes wait")}: ${queue.due} due now, ${queue.inFlight} on the way; ${queue.retrying} failed before. ${counted(status.inbox, "file", "files")} not yet read from the inbox.`
  ];
  if (status.paused) lines.push('Paused: nothing is sent to Plex until you run "Resume".');
  if (queue.fanOuts > 0) {
    lines.push(
      `${counted(queue.fanOuts, "change", "changes")} of performers, studios, tags or groups noted. Their scenes are not queued by themselves yet: run "Sync all scenes".`
    );
  }
  if (deadLetters > 0) {
    lines.push(
      `${counted(deadLetters, "scene was", "scenes were")} given up; ${paths.root}/dead-letters.json and .ndjson say why.`
    );
  }
  if (worker.alive && stash.error) lines.push(`Stash: ${stash.error}`);
  for (const [name, target] of Object.entries(status.targets)) lines.push(targetInWords(name, target));
  return [...lines, ...notices(paths.notice)];
}
function workerInWords({ worker, queue, inbox }, log) {
  if (worker.alive) return `The worker runs (process ${worker.pid}, since ${localTime(worker.since)}).`;
  if (queue.waiting + inbox === 0) return "No worker runs: there is nothing to do. The next edit starts one.";
  return `No worker runs although something waits, and none could be started; ${log} may say why.`;
}
function targetInWords(name, { url, breaker, done, failed }) {
  const where = url === null ? `${name} (not set up)` : `${name} (${url})`;
  const counts = `${done} done, ${failed} given up.`;
  if (breaker.state === "CLOSED") return `${where}: ${counts}`;
  const next = breaker.retryAt === null ? "now" : localTime(breaker.retryAt);
  return `${where}: nothing is sent since ${localTime(breaker.since)}: ${breaker.cause} Next try: ${next}. ${counts}`;
}
function notices(path) {
  try {
    return (0, import_node_fs8.readFileSync)(path, "utf8").split("\n").filter(Boolean);
  } catch {
    return [];
  }
}
var localTime = (iso) => iso === null ? "unknown" : new Date(iso).toLocaleString();

// src/tasks/follow-queue.ts
var lookEveryMs3 = 500;
var longestWaitMs = 1e4;
var longestStandstillMs = 35e3;
var settleMs = 2500;
async function followQueue(context) {
  const { clock, log } = context;
  const before = readStatus(context);
  const endedBefore = endedOf(before);
  await askWorker(context, "process");
  await clock.sleep(settleMs);
  let standstillMs = 0;
  let lastSeen = "";
  for (; ; ) {
    const status = readStatus(context);
    const ended = endedOf(status) - endedBefore;
    const open = status.queue.due + status.queue.inFlight + status.inbox;
    log.progress(ended + open === 0 ? 1 : ended / (ended + open));
    const seen = JSON.stringify([ended, status.queue, status.inbox]);
    standstillMs = seen === lastSeen ? standstillMs + lookEveryMs3 : 0;
    lastSeen = seen;
    const why = reasonToStop(status, before, clock.now()) ?? (standstillMs >= longestStandstillMs ? 'Nothing moves for now; "Status" may say why.' : null);
    if (why !== null) {
      const { waiting } = status.queue;
      const summary = `${counted(ended, "scene", "scenes")} processed, ${counted(waiting, "waits", "wait")}. ${why}`;
      log.info(summary);
      return summary;
    }
    await clock.sleep(lookEveryMs3);
  }
}
function endedOf({ targets }) {
  return Object.values(targets).reduce((sum, { done, failed }) => sum + done + failed, 0);
}
function reasonToStop(status, before, now) {
  const { queue, inbox, stash, worker } = status;
  if (!worker.alive) return "The worker ended; see worker.log.";
  if (inbox > 0 && queue.due === 0) return null;
  if (queue.due === 0 && queue.inFlight === 0) {
    if (queue.retrying === 0) return "Nothing is left to do.";
    return `Nothing is due: ${counted(queue.retrying, "scene is", "scenes are")} tried again later.`;
  }
  if (status.paused) return 'Paused: run "Resume" to go on.';
  for (const [name, { breaker, url }] of Object.entries(status.targets)) {
    if (url === null) return breaker.cause ?? "Plex is not configured yet.";
    if (breaker.state !== "OPEN" || breaker.retryAt === null) continue;
    const waitMs = Date.parse(breaker.retryAt) - now;
    const failedBefore = before.targets[name]?.breaker.failuresInARow ?? 0;
    if (waitMs > longestWaitMs || breaker.failuresInARow > failedBefore + 1) {
      return `${breaker.cause} The next try is in ${Math.max(0, Math.round(waitMs / 1e3))} s.`;
    }
  }
  if (!stash.reachable && stash.error) return stash.error;
  return null;
}

// src/tasks/run-task.ts
var ask = (command) => async (context, args) => {
  const message = await askWorker(context, command, args);
  context.log.info(message);
  return message;
};
var tasks = {
  process: followQueue,
  sync_all: ask("sync_all"),
  sync_recent: ask("sync_recent"),
  pause: ask("pause"),
  resume: ask("resume"),
  clear_queue: ask("clear_queue"),
  status: async (context) => {
    const status = await currentStatus(context);
    for (const line of statusInWords(status, context)) context.log.info(line);
    return status;
  }
};
async function runTask(text, distDir) {
  const log = stashLog();
  try {
    const input = parseStashInput(text);
    const connection = connectionOf(input);
    registerCookie(connection.cookie?.value);
    const args = typeof input.args === "object" && input.args !== null ? { ...input.args } : {};
    const mode = String(args.mode ?? "");
    const task = Object.hasOwn(tasks, mode) ? tasks[mode] : void 0;
    if (!task) {
      throw new BadInput(
        `"mode" is ${JSON.stringify(mode)}, but must be one of ${Object.keys(tasks).join(", ")}`
      );
    }
    const stateDir = chooseStateDir(connection, process.env);
    leavePointer(distDir, stateDir);
    const context = {
      paths: statePaths(stateDir),
      pluginDir: connection.pluginDir,
      distDir,
      serverConnection: input.server_connection,
      clock: systemClock,
      log
    };
    return { output: await task(context, args) };
  } catch (error) {
    const message = redact(error instanceof BadInput ? messageOf(error) : describeFileError(error));
    log.error(message);
    return { error: message };
  }
}
// Annotate the CommonJS export names for ESM import in node:
0 && (module.exports = {
  runTask
});
