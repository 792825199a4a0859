import type { Feature } from '../../../../../src/generate/unsupported.ts'
import type { GenerateRequest, Sampling } from '../../../../../src/generate/request.ts'
import { readOutput, readThinking } from './decode-output.ts'
import { defined } from '../../../../../src/lib/json/object.ts'
import type { PlaceNotes, Rule, Rules } from './notes.ts'
import { FieldPlace } from './field-place.ts'

const generated: Rule = ['native', 'only the Gemini API answers so']
const hint: Rule = ['silent', 'a hint for the Gemini API']
const routing: Rule = ['warn', 'the gateway chooses the model']

const rules: Rules = {
  temperature: false,
  topP: false,
  topK: false,
  seed: false,
  presencePenalty: false,
  frequencyPenalty: false,
  maxOutputTokens: false,
  stopSequences: false,
  candidateCount: false,
  responseLogprobs: false,
  logprobs: false,
  responseMimeType: false,
  responseSchema: false,
  responseJsonSchema: false,
  responseModalities: false,
  thinkingConfig: false,
  responseFormat: generated,
  speechConfig: generated,
  imageConfig: generated,
  audioTranscriptionConfig: generated,
  mediaResolution: ['warn', 'only the Gemini API is told how closely to look at media'],
  audioTimestamp: hint,
  enableEnhancedCivicAnswers: hint,
  routingConfig: routing,
  modelSelectionConfig: routing,
}

type Options = Pick<
  GenerateRequest,
  'sampling' | 'output' | 'reasoning' | 'maxOutputTokens' | 'stop' | 'candidates' | 'logprobs'
>

/** `generationConfig`. */
export function readOptions(given: FieldPlace | undefined, notes: PlaceNotes): Options {
  const config = given ?? new FieldPlace({})
  notes.others(config, rules)
  checkModalities(config, notes)
  return {
    sampling: readSampling(config, notes),
    ...defined({
      output: readOutput(config, notes),
      reasoning: readThinking(config, notes),
      maxOutputTokens: readLimit(config, notes),
      stop: readStops(config, notes),
      candidates: readCandidates(config, notes),
      logprobs: readLogprobs(config, notes),
    }),
  }
}

const sampled: readonly (readonly [keyof Sampling, Feature | undefined])[] = [
  ['temperature', undefined],
  ['topP', undefined],
  ['topK', 'top_k'],
  ['seed', 'seed'],
  ['presencePenalty', 'presence_penalty'],
  ['frequencyPenalty', 'frequency_penalty'],
]

function readSampling(config: FieldPlace, notes: PlaceNotes): Sampling {
  const sampling: { -readonly [Name in keyof Sampling]: Sampling[Name] } = {}
  for (const [name, feature] of sampled) {
    const value = config.number(name)
    if (value === undefined) continue
    sampling[name] = value
    const changesNothing = value === 0 && name.endsWith('Penalty')
    if (feature && !changesNothing) notes.uses(feature, config.nameOf(name))
  }
  if (sampling.temperature !== undefined) {
    notes.sets('temperature', config.nameOf('temperature'))
  }
  if (sampling.topP !== undefined) notes.sets('top_p', config.nameOf('topP'))
  if ((sampling.temperature ?? 0) > 1) {
    notes.uses('temperature_above_1', config.nameOf('temperature'))
  }
  return sampling
}

function readLimit(config: FieldPlace, notes: PlaceNotes): number | undefined {
  const limit = config.number('maxOutputTokens')
  if (limit !== undefined) notes.sets('max_output_tokens', config.nameOf('maxOutputTokens'))
  return limit
}

function readStops(config: FieldPlace, notes: PlaceNotes): string[] | undefined {
  const stop = config.texts('stopSequences')
  if (stop.length === 0) return undefined
  notes.uses('stop', config.nameOf('stopSequences'))
  return stop
}

function readCandidates(config: FieldPlace, notes: PlaceNotes): number | undefined {
  const candidates = config.number('candidateCount')
  if ((candidates ?? 1) > 1) notes.uses('candidates', config.nameOf('candidateCount'))
  return candidates
}

function readLogprobs(config: FieldPlace, notes: PlaceNotes): { top: number } | undefined {
  if (config.boolean('responseLogprobs') !== true) return undefined
  notes.uses('logprobs', config.nameOf('responseLogprobs'))
  return { top: config.number('logprobs') ?? 0 }
}

function checkModalities(config: FieldPlace, notes: PlaceNotes): void {
  const others = config.texts('responseModalities').filter((word) => word.toUpperCase() !== 'TEXT')
  if (others.length > 0) notes.lost(config.nameOf('responseModalities'), generated)
}
