import { z } from 'zod'

import { accountLacks } from '../generate/account-lacks.ts'
import { nearest } from '../lib/nearest.ts'
import { joinPath } from '../lib/paths.ts'

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
})

const turns = z.strictObject({
  drop: reasons.optional(),
  reasoning: oneOf('reasoning', 'reasoning_content', 'thinking', 'think-tags', 'none').optional(),
  needsReasoning: oneOf('answers', 'calls').optional(),
  continued: text.optional(),
  callIds: pattern.optional(),
})

const changes = { body: body.optional(), turns: turns.optional() }

const row = z.strictObject({
  ...changes,
  baseUrl: text.optional(),
  speaks: texts.optional(),
  ifNamed: texts.optional(),
  baseUrls: z.record(text, text, { error: 'must be an object of base URLs by dialect' }).optional(),
  outputLimitField: oneOf('max_completion_tokens', 'max_tokens').optional(),
  keepsResponses: flag.optional(),
  models: z.array(z.strictObject({ ...changes, named: pattern })).optional(),
  credential: z.custom((one) => typeof one === 'function', 'must be a function').optional(),
  errorStatuses: z.record(text, z.number({ error: 'must be a status' })).optional(),
  freeCall: text.optional(),
  lacks: z.array(oneOf(...accountLacks)).optional(),
  listsModels: z.literal(false, { error: 'must be false, or absent' }).optional(),
  mayLackKey: flag.optional(),
  reportsCost: flag.optional(),
  thinksInText: flag.optional(),
})

/** Throws for a member or a value that the row of a preset cannot have: it would have no effect, and nobody would notice. */
export function checkPresetShape(given: unknown): void {
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
