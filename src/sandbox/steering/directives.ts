import type { DirectiveKind } from './values.ts'

/** All directives of the sandbox. "Events" are the frames of a streamed reply. */
export const directiveTable = {
  echo: { kind: 'flag', help: 'repeat the last user text (the default)' },
  text: { kind: 'optional-text', help: 'reply with this text' },
  words: { kind: 'count', help: 'reply with this many words' },
  big: { kind: 'count', help: 'reply with one text delta of this many bytes, or a video' },
  whoami: { kind: 'flag', help: 'reply with the id of the account' },
  think: { kind: 'flag', help: 'reason first, even if the request does not ask for it' },
  tool: { kind: 'optional-text', help: 'call this tool, or the first one of the request' },
  tools: { kind: 'count', help: 'make this many tool calls at once' },
  pieces: { kind: 'flag', help: 'stream tool calls in pieces, as Vertex AI does (Gemini)' },
  rounds: { kind: 'count', help: 'call tools in this many rounds before the text (1)' },
  refuse: { kind: 'flag', help: "refuse in the dialect's own form" },
  finish: { kind: 'text', help: 'finish with this native reason' },
  nousage: { kind: 'flag', help: 'leave the usage out' },

  status: { kind: 'status', help: "fail with this HTTP status in the provider's shape" },
  code: { kind: 'text', help: 'the code of that error, or of the error of `error`' },
  message: { kind: 'text', help: 'the message of that error, or of the error of `error`' },
  'retry-after': { kind: 'text', help: 'retry-after header (seconds or a date) of that error' },
  'retry-after-ms': { kind: 'count', help: 'retry-after-ms header of that error' },
  deny: {
    kind: 'text',
    help: "refuse in a provider's words: key, credit, model, file, flagged, tokens, unclear",
  },
  limit: { kind: 'text', help: 'answer 429 for the model or the whole account: model, account' },
  flaky: { kind: 'flag', help: 'fail every other request with 503' },
  html: { kind: 'status', help: 'answer with this status and an HTML page' },
  redirect: { kind: 'flag', help: 'answer 302 to another path' },
  badjson: { kind: 'flag', help: 'answer 200 with a body that is not JSON' },
  reset: { kind: 'flag', help: 'reset the connection instead of answering' },
  json: { kind: 'flag', help: 'answer a stream request with plain JSON' },

  slow: { kind: 'flag', help: 'take 400 ms to answer and 80 ms between events' },
  delay: { kind: 'count', help: 'milliseconds before the headers' },
  first: { kind: 'count', help: 'milliseconds between the headers and the first event' },
  pace: { kind: 'count', help: 'milliseconds between events' },
  silent: { kind: 'count', help: 'milliseconds of silence in the middle' },

  cut: { kind: 'count', help: 'drop the connection after this many events (JSON: after half)' },
  eof: { kind: 'count', help: 'end the body cleanly after this many events (JSON: after half)' },
  half: { kind: 'count', help: 'like cut, but half of the next event is still sent' },
  halfeof: { kind: 'count', help: 'like eof, but half of the next event is still sent' },
  stall: { kind: 'count', help: 'send nothing more after this many events (JSON: after half)' },
  malformed: { kind: 'count', help: 'send invalid JSON in this event, counted from 1, and go on' },
  error: { kind: 'count', help: 'send an error inside the stream after this many events' },

  noblank: { kind: 'flag', help: 'leave out the blank line after the last event' },
  notdone: { kind: 'flag', help: 'leave out the [DONE] of chat completions' },
  crlf: { kind: 'flag', help: 'end lines with CR LF' },
  multiline: { kind: 'flag', help: 'spread the JSON of each event over several data: lines' },
  comments: { kind: 'flag', help: 'send a comment before each event' },
  split: { kind: 'count', help: 'write the body in pieces of this many bytes' },
  coalesce: { kind: 'flag', help: 'write the whole body at once' },

  polls: {
    kind: 'count',
    help: 'a video job is unfinished for this many status requests (1)',
  },
  takes: { kind: 'count', help: 'a video job takes this many milliseconds, instead of polls' },
  fails: { kind: 'optional-text', help: 'the video job fails at its end, with this code' },
  filtered: { kind: 'count', help: 'this many videos of the job are withheld as unsafe' },
  pollfail: { kind: 'count', help: 'this many first status requests of the job fail' },
  pollstatus: { kind: 'status', help: 'the HTTP status of those failures (500)' },
  notready: { kind: 'count', help: 'this many first downloads of a finished job fail' },
  expires: { kind: 'count', help: 'seconds for which the content of a finished job is available' },
  inline: { kind: 'flag', help: 'an operation ends with the bytes of its videos, not a link' },
  shortname: { kind: 'flag', help: 'an operation is named without its model until it is polled' },
  moved: { kind: 'flag', help: 'the link to a video of an operation redirects to another one' },

  only: { kind: 'text', help: 'the account to which the other directives apply' },
} as const satisfies Record<string, { kind: DirectiveKind; help: string }>

/** The name of a directive. */
type DirectiveName = keyof typeof directiveTable

/** The directives of one request, each at most once. */
export type Directives = {
  [Name in DirectiveName]?: ValueOf<(typeof directiveTable)[Name]['kind']>
}

type ValueOf<Kind extends DirectiveKind> = Kind extends 'flag'
  ? true
  : Kind extends 'count' | 'status'
    ? number
    : string

/** Whether a directive of this name exists. */
export function isDirectiveName(name: string): name is DirectiveName {
  return Object.hasOwn(directiveTable, name)
}
