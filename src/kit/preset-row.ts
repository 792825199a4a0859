import { z } from 'zod'

import type { BodyChanges, TurnChanges } from '../contract/adaptation.ts'
import type { Provider } from '../contract/provider.ts'
import { accountLacks } from '../generate/account-lacks.ts'
import { nearest } from '../lib/nearest.ts'
import { joinPath } from '../lib/paths.ts'

/** How chat requests to a provider differ. */
type Changes = Omit<BodyChanges, 'lost' | 'roles' | 'turns' | 'wrap'>

/** A provider with an API like OpenAI's, as far as it differs from one (docs/providers.md). */
export interface Preset extends Pick<
  Provider,
  | 'credential'
  | 'errorStatuses'
  | 'freeCall'
  | 'lacks'
  | 'listsModels'
  | 'mayLackKey'
  | 'reportsCost'
  | 'thinksInText'
> {
  /** As OpenAI's SDK expects it. Absent: accounts name their own. */
  readonly baseUrl?: string
  /** The dialects that its accounts speak, by their ids. Absent: `chat`. */
  readonly speaks?: readonly string[]
  /** Further dialects, which few models or new versions alone have: accounts name them in `speaks`. */
  readonly ifNamed?: readonly string[]
  /** Base URLs of dialects that stand elsewhere, each as the SDK of the dialect expects it. */
  readonly baseUrls?: Readonly<Record<string, string>>
  /** Absent: `max_tokens`. */
  readonly outputLimitField?: Provider['outputLimitField']
  /** Whether its server keeps responses, so that others can continue them. Absent: the gateway keeps them. */
  readonly keepsResponses?: boolean
  /** The member of requests for embeddings with the length of vectors. Absent: `dimensions`. */
  readonly dimensionsAs?: string
  /** Changes of chat requests. */
  readonly body?: Changes
  /** Changes of their turns, such as where earlier reasoning goes back. */
  readonly turns?: TurnChanges
  /** Other changes for some models, by their names: the first that fits. */
  readonly models?: readonly {
    readonly named: RegExp
    readonly body?: Changes
    readonly turns?: TurnChanges
  }[]
}

const text = z.string({ error: 'must be a text' })
const reasons = z.record(text, text, {
  error: "must be an object of reasons by member, such as { user: 'it has no users' }",
})
const record = z.record(text, z.unknown(), { error: 'must be an object' })
const flag = z.boolean({ error: 'must be true or false' })
const texts = z.array(text, { error: 'must be a list of texts' })
const pattern = z.instanceof(RegExp, { error: 'must be a regular expression' })

function oneOf<const Words extends readonly [string, ...string[]]>(...words: Words) {
  return z.enum(words, { error: `must be one of ${words.join(', ')}` })
}

const body = z.strictObject({
  refuse: reasons.optional(),
  drop: reasons.optional(),
  move: texts.optional(),
  rename: z.record(text, text, { error: 'must be an object of names by member' }).optional(),
  set: record.optional(),
  replace: z.record(text, record, { error: 'must be an object of objects' }).optional(),
  nearest: z.record(text, record, { error: 'must be an object of objects' }).optional(),
} satisfies Record<keyof Changes, z.ZodType>)

const turns = z.strictObject({
  drop: reasons.optional(),
  reasoning: oneOf('reasoning', 'reasoning_content', 'thinking', 'think-tags', 'none').optional(),
  needsReasoning: oneOf('answers', 'calls').optional(),
  continued: text.optional(),
  callIds: pattern.optional(),
} satisfies Record<keyof TurnChanges, z.ZodType>)

const changes = { body: body.optional(), turns: turns.optional() }

const row = z.strictObject({
  ...changes,
  baseUrl: text.optional(),
  speaks: texts.optional(),
  ifNamed: texts.optional(),
  baseUrls: z.record(text, text, { error: 'must be an object of base URLs by dialect' }).optional(),
  outputLimitField: oneOf('max_completion_tokens', 'max_tokens').optional(),
  keepsResponses: flag.optional(),
  dimensionsAs: text.optional(),
  models: z.array(z.strictObject({ ...changes, named: pattern })).optional(),
  credential: z.custom((one) => typeof one === 'function', 'must be a function').optional(),
  errorStatuses: z.record(text, z.number({ error: 'must be a status' })).optional(),
  freeCall: z
    .custom((one) => /^(?:string|function)$/.test(typeof one), 'must be a path')
    .optional(),
  lacks: z.array(oneOf(...accountLacks)).optional(),
  listsModels: z.literal(false, { error: 'must be false, or absent' }).optional(),
  mayLackKey: flag.optional(),
  reportsCost: flag.optional(),
  thinksInText: flag.optional(),
} satisfies Record<keyof Preset, z.ZodType>)

/** Throws for a member or a value that the row of a preset cannot have: it would have no effect. */
export function checkPresetRow(given: unknown): void {
  const [issue] = row.safeParse(given).error?.issues ?? []
  if (!issue) return
  const at = joinPath('preset', issue.path)
  if (issue.code !== 'unrecognized_keys') throw new TypeError(`${at} ${issue.message}.`)
  const [key = ''] = issue.keys
  const known = membersAt(issue.path)
  const meant = nearest(key, known)
  const hint = meant === undefined ? `use one of ${known.join(', ')}` : `did you mean "${meant}"?`
  throw new TypeError(`${at} has no member "${key}": ${hint}`)
}

function membersAt(path: readonly PropertyKey[]): string[] {
  const inner = path.at(-1)
  if (inner === 'body') return Object.keys(body.shape)
  if (inner === 'turns') return Object.keys(turns.shape)
  return inner === undefined ? Object.keys(row.shape) : [...Object.keys(changes), 'named']
}
