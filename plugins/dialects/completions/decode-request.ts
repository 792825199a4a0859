import type { RawRequest } from '../../../src/contract/codec.ts'
import type { TextPart } from '../../../src/generate/content.ts'
import { Notes } from '../../../src/generate/notes.ts'
import type { GenerateRequest, Sampling } from '../../../src/generate/request.ts'
import { defined, isObject, type JsonObject } from '../../../src/lib/json/object.ts'
import { numberAt, stringAt } from '../../../src/lib/json/read.ts'

const members: ReadonlySet<string> = new Set([
  'best_of',
  'echo',
  'frequency_penalty',
  'logit_bias',
  'logprobs',
  'max_tokens',
  'model',
  'n',
  'presence_penalty',
  'prompt',
  'seed',
  'stop',
  'stream',
  'stream_options',
  'suffix',
  'temperature',
  'top_p',
  'user',
])

/** Reads a client's request: a prompt is a message of a user. */
export function decodeRequest({ body, stream }: RawRequest): GenerateRequest {
  const notes = new Notes()
  for (const name of Object.keys(body))
    if (!members.has(name))
      notes.unknown(members, name, name, 'only accounts of the Completions API may know it')
  const native = nativeField(body)
  if (native !== undefined) notes.native(native, 'only the Completions API has it')
  const content = promptsOf(body.prompt).map((text): TextPart => ({ type: 'text', text }))
  notes.usesContent(content, 'prompt')
  const maxOutputTokens = numberAt(body, 'max_tokens')
  if (maxOutputTokens !== undefined) notes.sets('max_output_tokens', 'max_tokens')
  const stop = stopOf(body.stop)
  if (stop) notes.uses('stop', 'stop')
  const endUser = stringAt(body, 'user') || undefined
  if (endUser) notes.uses('end_user', 'user')
  const sampling = samplingOf(body, notes)
  const { fields, settings, extras } = notes
  return {
    stream,
    turns: [{ role: 'user', content }],
    tools: [],
    sampling,
    ...defined({ maxOutputTokens, stop, endUser }),
    fields,
    settings,
    extras,
  }
}

/** The texts of a prompt; none for a prompt of tokens. */
function promptsOf(prompt: unknown): string[] {
  const list = Array.isArray(prompt) ? (prompt as unknown[]) : [prompt]
  return list.filter((one) => typeof one === 'string')
}

/** The first field that accounts of no other dialect can have the meaning of. */
export function nativeField(body: JsonObject): string | undefined {
  const { prompt, echo, suffix, logprobs, logit_bias: bias } = body
  const isText = typeof prompt === 'string'
  const isOneText = Array.isArray(prompt) && prompt.length === 1 && typeof prompt[0] === 'string'
  if (!isText && !isOneText) return 'prompt'
  if (echo === true) return 'echo'
  if (typeof suffix === 'string' && suffix !== '') return 'suffix'
  if (typeof logprobs === 'number') return 'logprobs'
  if (isObject(bias) && Object.keys(bias).length > 0) return 'logit_bias'
  return (['n', 'best_of'] as const).find((name) => (numberAt(body, name) ?? 1) > 1)
}

function stopOf(stop: unknown): string[] | undefined {
  if (typeof stop === 'string') return [stop]
  return Array.isArray(stop) && stop.length > 0 ? (stop as string[]) : undefined
}

function samplingOf(body: JsonObject, notes: Notes): Sampling {
  const temperature = numberAt(body, 'temperature')
  const topP = numberAt(body, 'top_p')
  const seed = numberAt(body, 'seed')
  const presencePenalty = numberAt(body, 'presence_penalty')
  const frequencyPenalty = numberAt(body, 'frequency_penalty')
  if (temperature !== undefined) notes.sets('temperature', 'temperature')
  if (topP !== undefined) notes.sets('top_p', 'top_p')
  if (temperature !== undefined && temperature > 1) notes.uses('temperature_above_1', 'temperature')
  if (seed !== undefined) notes.uses('seed', 'seed')
  if (presencePenalty) notes.uses('presence_penalty', 'presence_penalty')
  if (frequencyPenalty) notes.uses('frequency_penalty', 'frequency_penalty')
  return defined({ temperature, topP, seed, presencePenalty, frequencyPenalty })
}
