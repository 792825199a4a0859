import { wrong } from '../../../../../src/kit/checks.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { GenerateRequest, Sampling } from '../../../../../src/generate/request.ts'
import { numberAt, stringAt } from '../../../../../src/lib/json/read.ts'
import { readOutput } from './decode-output.ts'
import type { Notes } from '../../../../../src/generate/notes.ts'
import { isGiven, readObject } from '../../../../../src/kit/codec/read.ts'

type Settings = Omit<
  GenerateRequest,
  'stream' | 'turns' | 'tools' | 'toolChoice' | 'parallelToolCalls' | 'fields' | 'extras'
>

/** Reads the settings of a request: all fields but the conversation and the tools. */
export function readSettings(body: JsonObject, notes: Notes): Settings {
  return {
    ...readOutput(body, notes),
    sampling: readSampling(body, notes),
    ...readLimits(body, notes),
    ...readAccounting(body, notes),
  }
}

function readSampling(body: JsonObject, notes: Notes): Sampling {
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
  return {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(seed !== undefined && { seed }),
    ...(presencePenalty !== undefined && { presencePenalty }),
    ...(frequencyPenalty !== undefined && { frequencyPenalty }),
  }
}

function readLimits(
  body: JsonObject,
  notes: Notes,
): Pick<Settings, 'maxOutputTokens' | 'stop' | 'candidates' | 'logprobs'> {
  const maxOutputTokens = readMaximum(body, notes)
  const stop = readStop(body.stop)
  const candidates = numberAt(body, 'n')
  if (stop) notes.uses('stop', 'stop')
  if (candidates !== undefined && candidates > 1) notes.uses('candidates', 'n')
  if (body.logprobs === true) notes.uses('logprobs', 'logprobs')
  return {
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(stop && { stop }),
    ...(candidates !== undefined && { candidates }),
    ...(body.logprobs === true && { logprobs: { top: numberAt(body, 'top_logprobs') ?? 0 } }),
  }
}

function readMaximum(body: JsonObject, notes: Notes): number | undefined {
  const name = isGiven(body.max_completion_tokens) ? 'max_completion_tokens' : 'max_tokens'
  const maximum = numberAt(body, name)
  if (maximum === 0) throw wrong(name, 'an integer, at least 1')
  if (maximum !== undefined) notes.sets('max_output_tokens', name)
  return maximum
}

function readStop(stop: unknown): string[] | undefined {
  const sequences = typeof stop === 'string' ? [stop] : (stop ?? [])
  if (!Array.isArray(sequences) || sequences.some((one) => typeof one !== 'string')) {
    throw wrong('stop', 'a string or an array of strings')
  }
  return sequences.length > 0 ? (sequences as string[]) : undefined
}

function readAccounting(
  body: JsonObject,
  notes: Notes,
): Pick<Settings, 'endUser' | 'metadata' | 'cacheKey' | 'serviceTier' | 'store'> {
  const userField = isGiven(body.safety_identifier) ? 'safety_identifier' : 'user'
  const endUser = stringAt(body, userField)
  const metadata = readMetadata(body.metadata)
  const cacheKey = stringAt(body, 'prompt_cache_key')
  const serviceTier = stringAt(body, 'service_tier')
  if (endUser) notes.uses('end_user', userField)
  if (metadata) notes.uses('metadata', 'metadata')
  if (cacheKey) notes.uses('cache_key', 'prompt_cache_key')
  if (serviceTier && serviceTier !== 'auto') notes.uses('service_tier', 'service_tier')
  if (body.store === true) notes.uses('store', 'store')
  return {
    ...(endUser && { endUser }),
    ...(metadata && { metadata }),
    ...(cacheKey && { cacheKey }),
    ...(serviceTier && { serviceTier }),
    ...(typeof body.store === 'boolean' && { store: body.store }),
  }
}

function readMetadata(value: unknown): Record<string, string> | undefined {
  if (!isGiven(value)) return undefined
  const metadata = readObject(value, 'metadata')
  const names = Object.keys(metadata)
  if (names.some((name) => typeof metadata[name] !== 'string')) {
    throw wrong('metadata', 'an object of strings')
  }
  // No copy: one of many members would take long.
  return names.length > 0 ? (metadata as Record<string, string>) : undefined
}
