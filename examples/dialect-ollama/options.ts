import * as kit from 'dragoman/dialect'

const names: kit.SamplingNames = {
  temperature: 'temperature',
  topP: 'top_p',
  topK: 'top_k',
  seed: 'seed',
}
const known = new Set([...Object.values(names), 'num_predict', 'stop'])

type Options = Pick<kit.GenerateRequest, 'sampling' | 'maxOutputTokens' | 'stop'>

export function readOptions(options: kit.JsonObject, notes: kit.Notes): Options {
  notes.unread(options, 'options', known, 'only the Ollama API has it')
  const sampling = kit.readSampling(options, 'options', names, notes)
  const limit = kit.tokensAt(options, 'num_predict')
  if (limit) notes.sets('max_output_tokens', 'options.num_predict')
  kit.checkStrings(options, 'stop')
  const stop = options['stop'] as string[] | undefined
  if (stop) notes.uses('stop', 'options.stop')
  return { sampling, ...(limit && { maxOutputTokens: limit }), ...(stop && { stop }) }
}

export function writeOptions({ sampling, maxOutputTokens, stop }: Options): kit.JsonObject {
  const further = kit.defined({ num_predict: maxOutputTokens, stop })
  return { ...kit.writeSampling(sampling, names), ...further }
}
