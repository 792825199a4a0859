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

/** In bytes. A larger member would be parsed again. */
const longestMember = 4_096

/** The numbers of a request, as attributes. Words are not read: callers could write anything there. */
export function parametersOf({ body }: Pick<Routed, 'body'>): Attributes {
  const found: Attributes = {}
  for (const place of [body.json, nestedIn(body)]) {
    if (!isObject(place)) continue
    for (const member in numbers) add(found, numbers[member] as string, place[member])
    for (const member of choices) {
      if (place[member] !== 1) add(found, 'gen_ai.request.choice.count', place[member])
    }
  }
  return found
}

/** The settings of a request to Gemini, which stand in a member of their own. */
function nestedIn({ json, members }: RequestBody): unknown {
  const range = members.get('generationConfig')
  return range && range.end - range.start <= longestMember ? json['generationConfig'] : undefined
}

function add(attributes: Attributes, name: string, value: unknown): void {
  if (typeof value === 'number' && Number.isFinite(value)) attributes[name] ??= value
}
