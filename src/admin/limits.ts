/** How much of the process the admin API gives to its clients. */
export interface AdminLimits {
  /** The largest body of a request, in bytes. */
  readonly bodyBytes: number
  /** The largest body of a request to `POST /console/call`, in bytes. */
  readonly callBytes: number
  /** How long a body may take to arrive, in milliseconds. */
  readonly bodyMs: number
  /** The lexical tokens of a document. */
  readonly tokens: number
  /** The lexical tokens of a document of the console. */
  readonly persistedTokens: number
  /** Levels of nested fields. */
  readonly depth: number
  /** The fields of a document, each fragment counted wherever it is spread. */
  readonly fields: number
  /** How long a query or a mutation may take, in milliseconds. */
  readonly queryMs: number
  /** The operations that one token or one session may send in a second, on average. */
  readonly queriesPerSecond: number
  /** The operations that a token may send at once, after a rest; scripts read lists page by page. */
  readonly tokenBurst: number
  /** The operations that a session may send at once, after a rest; as many streams may begin besides. */
  readonly sessionBurst: number
  /** The operations and streams of all sessions of a token or user in a second, on average, and twice as many at once. */
  readonly sessionsTogether: number
  /** The acts that one token or user may try in a second, on average. */
  readonly actsPerSecond: number
  /** The acts that one token or user may try at once, after a rest. */
  readonly actBurst: number
  /** The acts of one token or user that name what does not exist, or are invalid, in a minute, on average. */
  readonly failedActsPerMinute: number
  /** The number of such acts at once, after a rest. */
  readonly failedActBurst: number
  /** The exports that one token or user may begin in a minute. */
  readonly exportsPerMinute: number
  /** How long an export may take, in milliseconds. */
  readonly exportMs: number
  /** The answers as server-sent events that a process sends at a time. */
  readonly streams: number
  /** The streams of one token or user. */
  readonly streamsOfOne: number
  /** The failed sign-ins of one address in a minute. */
  readonly attemptsPerMinute: number
  /** The wrong tokens and sessions that one address may send in a minute; valid ones always pass. */
  readonly guessesPerMinute: number
  /** The sessions that one token or user may begin in a minute. */
  readonly sessionsPerMinute: number
}

/** The limits of the admin API. */
export const adminLimits: AdminLimits = {
  bodyBytes: 262_144,
  callBytes: 4 * 1024 * 1024,
  bodyMs: 10_000,
  tokens: 1_000,
  persistedTokens: 10_000,
  depth: 10,
  fields: 2_000,
  queryMs: 10_000,
  queriesPerSecond: 20,
  tokenBurst: 200,
  sessionBurst: 20,
  sessionsTogether: 100,
  actsPerSecond: 10,
  actBurst: 50,
  failedActsPerMinute: 10,
  failedActBurst: 100,
  exportsPerMinute: 10,
  exportMs: 10 * 60_000,
  streams: 32,
  streamsOfOne: 8,
  attemptsPerMinute: 5,
  guessesPerMinute: 20,
  sessionsPerMinute: 60,
}
