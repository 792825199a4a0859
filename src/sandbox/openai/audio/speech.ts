import type { Call, Endpoint, Reply } from '../../provider.ts'
import { type Members, choice, number, object, string, stringOr } from '../../shape.ts'
import { ruleFault } from '../../fault.ts'
import { textOf } from '../../json.ts'
import { directedProblem } from '../../steering/failures.ts'
import { countTokens } from '../../text/words.ts'
import { modelName } from '../fields.ts'
import { openai, renderOpenAiError } from '../provider.ts'

const types: Readonly<Record<string, string>> = {
  mp3: 'audio/mpeg',
  opus: 'audio/opus',
  aac: 'audio/aac',
  flac: 'audio/flac',
  wav: 'audio/wav',
  pcm: 'audio/pcm',
}

const required: Members = {
  model: modelName,
  input: string({ min: 1, max: 4096 }),
  voice: stringOr(object({ required: { id: string({ min: 1 }) } })),
}

const shape = object({
  required,
  optional: {
    instructions: string({ max: 4096 }),
    response_format: choice(...Object.keys(types)),
    speed: number({ min: 0.25, max: 4 }),
    stream_format: choice('sse', 'audio'),
  },
})

/** `POST /v1/audio/speech`: some bytes for each word, or events with them. */
export const speech: Endpoint = {
  provider: openai,
  method: 'POST',
  path: /^\/v1\/audio\/speech$/,
  hasBody: true,
  answer,
}

function answer({ body, directives }: Call): Reply {
  shape(body, [])
  const { model, input, response_format: format } = body
  const text = textOf(input)
  const bytes = speak(text, directives.big)
  if (body['stream_format'] !== 'sse') {
    const type = types[textOf(format) || 'mp3'] ?? ''
    return { content: bytes, status: 200, headers: { 'content-type': type } }
  }
  if (/(?:^|\/)tts-1/.test(textOf(model)))
    throw ruleFault(['stream_format'], "'sse' is not supported by this model.", 'unsupported_value')
  const middle = Math.ceil(bytes.length / 2)
  const halves = [bytes.subarray(0, middle), bytes.subarray(middle)]
  const inputTokens = countTokens(text)
  const outputTokens = Math.ceil(bytes.length / 100)
  const usage = {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  }
  const frames = [
    ...halves.map((half) => ({
      data: { type: 'speech.audio.delta', audio: half.toString('base64') },
    })),
    { data: { type: 'speech.audio.done', ...(directives.nousage ? {} : { usage }) } },
  ]
  const error = renderOpenAiError(directedProblem(directives, 500))
  const failure = [{ name: 'error', data: { type: 'error', error } }]
  return { json: { error }, stream: { frames, failure, framing: 'sse' } }
}

/** Bytes that begin as an MP3 file with a tag does. */
function speak(text: string, least = 0): Buffer {
  const bytes = Buffer.alloc(Math.max(least, 400 * countTokens(text)), text)
  bytes.write('ID3', 'latin1')
  return bytes
}
