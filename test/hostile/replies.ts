import type { DialectName } from '../requests/dialects.ts'

const MiB = 1024 * 1024

/** The most values and names of the default configuration. */
const mostValues = 250_000

/** The key of the accounts, which some replies contain. */
export const accountKey = 'sk-account-0123456789'

/** A reply of an account, of the worst shape that the limits permit. */
export interface HostileReply {
  readonly dialect: DialectName
  /** Whether it goes to clients of all dialects. */
  readonly isForAll?: boolean
  /** Whether it comes as an event without an end, also in place of a JSON reply. */
  readonly isEvent?: boolean
  /** The reply, of at most `size` bytes. */
  readonly json: (size: number) => string
}

/** A little less than `limits.replyBytes`. */
export const largestReply = 60 * MiB
/** A little less than `limits.frameBytes`. */
export const largestFrame = 31 * MiB

const texts: Readonly<Record<string, (size: number) => string>> = {
  'a long text': (size) => `"${'a'.repeat(size)}"`,
  'a long text of blanks and colons': (size) => `"${': '.repeat(size / 2)}"`,
  'a long text of hosts': (size) => `"${'127.0.0.'.repeat(size / 8)}"`,
  'many names': () => `{${numbered(mostValues / 2 - 100)}}`,
  'many texts': (size) => `[${list(`"${'a'.repeat(size / mostValues - 3)}"`, mostValues - 100)}]`,
  'many empty objects': () => `[${list('{}', mostValues - 100)}]`,
}

/** The large part of a reply at one place of it. */
type Place = (value: string) => string

const places: Readonly<Record<string, { dialect: DialectName; place: Place }>> = {
  'a failed response with': {
    dialect: 'responses',
    place: (value) =>
      `{"id":"resp_1","object":"response","created_at":1,"status":"failed","model":"m","output":[],"error":{"code":"server_error","message":"no"},"other":${value}}`,
  },
  'a completed response with': {
    dialect: 'responses',
    place: (value) =>
      `{"id":"resp_1","object":"response","created_at":1,"status":"completed","model":"m","output":[],"other":${value}}`,
  },
  'a response that contains the key, with': {
    dialect: 'responses',
    place: (value) =>
      `{"id":"resp_1","object":"response","created_at":1,"status":"completed","model":"m","output":[],"key":"${accountKey}","other":${value}}`,
  },
  'an error with': {
    dialect: 'chat',
    place: (value) => `{"error":{"message":"no","code":500},"other":${value}}`,
  },
  'a blocked prompt with': {
    dialect: 'generate',
    place: (value) =>
      `{"promptFeedback":{"blockReason":"SAFETY","blockReasonMessage":"no"},"other":${value}}`,
  },
}

/** Calls of which each announces a piece that does not come. */
const openCalls = (idOf: (at: number) => string) => () => {
  const parts = Array.from(
    { length: mostValues / 12 },
    (_, at) => `{"functionCall":{"name":"f"${idOf(at)},"args":{},"willContinue":true}}`,
  )
  return `{"candidates":[{"content":{"role":"model","parts":[${parts.join(',')}]},"finishReason":"STOP"}]}`
}

/** Calls by the thousand, all of which are open until the end. */
function manyCalls(count = mostValues / 12, idOf = (at: number) => `c${at}`): string {
  const calls = Array.from(
    { length: count },
    (_, at) => `{"id":"${idOf(at)}","type":"function","function":{"name":"f","arguments":"{}"}}`,
  )
  return `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[${calls.join(',')}]},"finish_reason":"tool_calls"}]}`
}

/** As many calls as fit into one event of which each member counts, small enough to be parsed at once. */
function callsInFull(): string {
  const parts = Array.from(
    { length: 17_000 },
    (_, at) => `{"functionCall":{"id":"c${at}","name":"f","args":{"at":${at}}}}`,
  )
  return `{"candidates":[{"content":{"role":"model","parts":[${parts.join(',')}]},"finishReason":"STOP"}]}`
}

/** A text that is as long without its escapes as a half of the reply. */
function textWithEscapes(size: number): string {
  const unit = JSON.stringify('line "x"\n\u0001').slice(1, -1)
  const content = unit.repeat(size / unit.length - 100)
  return `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"${content}"},"finish_reason":"stop"}]}`
}

/** Segments of a long text by the thousand, which one page supports. */
function manySources(): string {
  const supports = Array.from(
    { length: mostValues / 12 },
    (_, at) =>
      `{"segment":{"startIndex":${2 * at},"endIndex":${2 * at + 2}},"groundingChunkIndices":[0]}`,
  )
  const metadata = `{"groundingChunks":[{"web":{"uri":"https://a.test"}}],"groundingSupports":[${supports.join(',')}]}`
  return `{"candidates":[{"content":{"role":"model","parts":[{"text":"${'я'.repeat(MiB)}"}]},"finishReason":"STOP","groundingMetadata":${metadata}}]}`
}

/** A whole answer in one chunk. */
function chunkOf(content: string): string {
  return `{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"${content}"},"finish_reason":"stop"}]}`
}

/** An error whose message is as long as a reply may be, of beginnings of what patterns look for. */
function errorOf(words: string, size: number): string {
  return `{"error":{"code":400,"message":"${words.repeat(size / words.length)}"}}`
}

/** Replies of accounts, by name. */
export const hostileReplies: ReadonlyMap<string, HostileReply> = new Map<string, HostileReply>([
  ['open calls with ids', { dialect: 'generate', json: openCalls((at) => `,"id":"c${at}"`) }],
  ['open calls with none', { dialect: 'generate', json: openCalls(() => '') }],
  ['many calls', { dialect: 'chat', json: () => manyCalls(), isForAll: true }],
  [
    'many calls with long ids',
    {
      dialect: 'chat',
      json: () => manyCalls(2_200, (at) => String(at).padStart(17_000, 'a')),
      isForAll: true,
    },
  ],
  ['many calls in full', { dialect: 'generate', json: callsInFull, isForAll: true }],
  ['a long text with escapes', { dialect: 'chat', json: textWithEscapes, isForAll: true }],
  [
    'an error with a long message of permissions',
    { dialect: 'generate', json: (size) => errorOf('permission to access the ', size) },
  ],
  [
    'an error with a long message of tokens',
    { dialect: 'generate', json: (size) => errorOf('input token count ', size) },
  ],
  [
    'an event in place of a reply',
    { dialect: 'chat', json: (size) => chunkOf('a'.repeat(size)), isForAll: true, isEvent: true },
  ],
  [
    'an event of no JSON in place of a reply',
    { dialect: 'chat', json: (size) => 'a'.repeat(size), isEvent: true },
  ],
  ['many sources of a long text', { dialect: 'generate', json: manySources }],
  ...Object.entries(places).flatMap(([kind, { dialect, place }]) =>
    Object.entries(texts).map(([name, text]): [string, HostileReply] => [
      `${kind} ${name}`,
      { dialect, json: (size) => place(text(size)) },
    ]),
  ),
])

function list(unit: string, count: number): string {
  return `${`${unit},`.repeat(count - 1)}${unit}`
}

function numbered(count: number): string {
  return Array.from({ length: count }, (_, at) => `"k${at}":1`).join(',')
}
