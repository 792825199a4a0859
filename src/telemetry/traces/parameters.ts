import type { Attributes } from '@opentelemetry/api'

import type { RequestBody } from '../../contract/body.ts'
import type { Routed } from '../../contract/exchange.ts'
import { isObject } from '../../lib/json/object.ts'

/** The numbers of a request that the conventions name, by the members that the dialects have for them. */
const numbers: Readonly<Record<string, string>> = {
  max_tokens: 'gen_ai.request.max_tokens',
  max_completion_tokens: 'gen_ai.request.max_tokens',
  max_output_tokens: 'gen_ai.request.max_tokens',
  maxOutputTokens: 'gen_ai.request.max_tokens',
  temperature: 'gen_ai.request.temperature',
  top_p: 'gen_ai.request.top_p',
  topP: 'gen_ai.request.top_p',
  top_k: 'gen_ai.request.top_k',
  topK: 'gen_ai.request.top_k',
  frequency_penalty: 'gen_ai.request.frequency_penalty',
  frequencyPenalty: 'gen_ai.request.frequency_penalty',
  presence_penalty: 'gen_ai.request.presence_penalty',
  presencePenalty: 'gen_ai.request.presence_penalty',
  seed: 'gen_ai.request.seed',
}

const choices: ReadonlySet<string> = new Set(['n', 'candidateCount'])

/** The settings of a request to Gemini, which stand in a member of their own. */
const nested = 'generationConfig'

/** Where the dialects have the level of reasoning. */
const levelPlaces = [
  ['reasoning_effort'],
  ['reasoning', 'effort'],
  ['output_config', 'effort'],
  [nested, 'thinkingConfig', 'thinkingLevel'],
] as const

/** The levels that the dialects know, as Gemini writes them too. */
const levels: ReadonlyMap<unknown, string> = new Map(
  ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'].flatMap((level) => [
    [level, level],
    [level.toUpperCase(), level],
  ]),
)

/** In bytes. A larger member of a large body would be parsed again. */
const longestMember = 4_096

/**
 * The numbers of a request and its level of reasoning, as attributes. Other words are not read: callers could write
 * anything there.
 */
export function parametersOf({ body }: Pick<Routed, 'body'>): Attributes {
  const found: Attributes = {}
  const level = levelOf(body)
  if (level !== undefined) found['gen_ai.request.reasoning.level'] = level
  for (const place of [body.json, memberOf(body, nested)]) {
    if (!isObject(place)) continue
    for (const member in numbers) add(found, numbers[member] as string, place[member])
    for (const member of choices) {
      if (place[member] !== 1) add(found, 'gen_ai.request.choice.count', place[member])
    }
  }
  return found
}

function levelOf(body: RequestBody): string | undefined {
  for (const [name, ...path] of levelPlaces) {
    let place = memberOf(body, name)
    for (const member of path) place = isObject(place) ? place[member] : undefined
    const level = levels.get(place)
    if (level !== undefined) return level
  }
  return undefined
}

/** The value of a member that costs nothing to read. */
function memberOf({ json, members, isLarge }: RequestBody, name: string): unknown {
  const range = members.get(name)
  const isSmall = range && (!isLarge || range.end - range.start <= longestMember)
  return isSmall ? json[name] : undefined
}

function add(attributes: Attributes, name: string, value: unknown): void {
  if (typeof value === 'number' && Number.isFinite(value)) attributes[name] ??= value
}
