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

/** Everything that is neither conversation nor tools. */
export function readSettings(body: JsonObject, found: Notes): Settings {
  return {
    ...readOutput(body, found),
    sampling: readSampling(body, found),
    ...readLimits(body, found),
    ...readAccounting(body, found),
  }
}

function readSampling(body: JsonObject, found: Notes): Sampling {
  const temperature = numberAt(body, 'temperature')
  const topP = numberAt(body, 'top_p')
  const seed = numberAt(body, 'seed')
  const presencePenalty = numberAt(body, 'presence_penalty')
  const frequencyPenalty = numberAt(body, 'frequency_penalty')
  if (temperature !== undefined) found.sets('temperature', 'temperature')
  if (topP !== undefined) found.sets('top_p', 'top_p')
  if (temperature !== undefined && temperature > 1) found.uses('temperature_above_1', 'temperature')
  if (seed !== undefined) found.uses('seed', 'seed')
  if (presencePenalty) found.uses('presence_penalty', 'presence_penalty')
  if (frequencyPenalty) found.uses('frequency_penalty', 'frequency_penalty')
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
  found: Notes,
): Pick<Settings, 'maxOutputTokens' | 'stop' | 'candidates' | 'logprobs'> {
  const maxOutputTokens = readMaximum(body, found)
  const stop = readStop(body.stop)
  const candidates = numberAt(body, 'n')
  if (stop) found.uses('stop', 'stop')
  if (candidates !== undefined && candidates > 1) found.uses('candidates', 'n')
  if (body.logprobs === true) found.uses('logprobs', 'logprobs')
  return {
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(stop && { stop }),
    ...(candidates !== undefined && { candidates }),
    ...(body.logprobs === true && { logprobs: { top: numberAt(body, 'top_logprobs') ?? 0 } }),
  }
}

function readMaximum(body: JsonObject, found: Notes): number | undefined {
  const name = isGiven(body.max_completion_tokens) ? 'max_completion_tokens' : 'max_tokens'
  const maximum = numberAt(body, name)
  if (maximum === 0) throw wrong(name, 'an integer, at least 1')
  if (maximum !== undefined) found.sets('max_output_tokens', name)
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
  found: Notes,
): Pick<Settings, 'endUser' | 'metadata' | 'cacheKey' | 'serviceTier' | 'store'> {
  const userField = isGiven(body.safety_identifier) ? 'safety_identifier' : 'user'
  const endUser = stringAt(body, userField)
  const metadata = readMetadata(body.metadata)
  const cacheKey = stringAt(body, 'prompt_cache_key')
  const serviceTier = stringAt(body, 'service_tier')
  if (endUser) found.uses('end_user', userField)
  if (metadata) found.uses('metadata', 'metadata')
  if (cacheKey) found.uses('cache_key', 'prompt_cache_key')
  if (serviceTier && serviceTier !== 'auto') found.uses('service_tier', 'service_tier')
  if (body.store === true) found.uses('store', 'store')
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
  const pairs = Object.entries(readObject(value, 'metadata'))
  if (pairs.some(([, one]) => typeof one !== 'string')) {
    throw wrong('metadata', 'an object of strings')
  }
  return pairs.length > 0 ? (Object.fromEntries(pairs) as Record<string, string>) : undefined
}
