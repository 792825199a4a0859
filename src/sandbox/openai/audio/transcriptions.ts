import { FaultError, ruleFault } from '../../fault.ts'
import type { FormFile } from '../../form/form.ts'
import { type JsonObject, listOf, textOf } from '../../json.ts'
import { Problem, badRequest } from '../../problem.ts'
import type { Call, Endpoint, Reply } from '../../provider.ts'
import {
  type Members,
  boolean,
  choice,
  list,
  number,
  object,
  string,
  stringOr,
} from '../../shape.ts'
import { directedProblem } from '../../steering/failures.ts'
import { countTokens, deltasOf, generateWords } from '../../text/words.ts'
import { modelName } from '../fields.ts'
import { openai, renderOpenAiError } from '../provider.ts'

/** The families of models, which differ in their formats and in their usage. */
type Kind = 'whisper' | 'gpt' | 'diarize'

type Task = 'transcribe' | 'translate'

/** A model that steers (`sandbox/echo`) stands for any that can do what the request asks for. */
function kindOf(body: JsonObject, task: Task): Kind {
  const model = textOf(body['model'])
  const format = textOf(body['response_format']) || 'json'
  const steers = model.startsWith('sandbox/')
  if (model.includes('diarize') || (steers && format === 'diarized_json')) return 'diarize'
  const isWhisper = steers && (task === 'translate' || !formats.gpt.includes(format))
  return isWhisper || model.includes('whisper') ? 'whisper' : 'gpt'
}

const formats: Readonly<Record<Kind, readonly string[]>> = {
  whisper: ['json', 'text', 'srt', 'verbose_json', 'vtt'],
  gpt: ['json', 'text'],
  diarize: ['json', 'text', 'diarized_json'],
}

const plain: Members = {
  prompt: string(),
  response_format: choice('json', 'text', 'srt', 'verbose_json', 'vtt', 'diarized_json'),
  temperature: number({ min: 0, max: 1 }),
}

const transcription = object({
  required: { model: modelName },
  optional: {
    ...plain,
    chunking_strategy: stringOr(object({ open: true })),
    include: list(choice('logprobs')),
    keywords: list(string()),
    known_speaker_names: list(string(), { max: 4 }),
    known_speaker_references: list(string({ pattern: /^data:/ }), { max: 4 }),
    language: string({ min: 2 }),
    languages: list(string({ min: 2 })),
    stream: boolean,
    timestamp_granularities: list(choice('word', 'segment')),
  },
})

const translation = object({ required: { model: modelName }, optional: plain })

/** `POST /v1/audio/transcriptions`: a text for any audio. */
export const transcriptions: Endpoint = {
  provider: openai,
  method: 'POST',
  path: /^\/v1\/audio\/transcriptions$/,
  hasBody: true,
  form: { temperature: 'number', stream: 'boolean' },
  answer(call) {
    const file = fileOf(call)
    transcription(call.body, [])
    refuseOptions(call.body, kindOf(call.body, 'transcribe'))
    return render(call, file, 'transcribe')
  },
}

/** `POST /v1/audio/translations`, which only one model has. */
export const translations: Endpoint = {
  provider: openai,
  method: 'POST',
  path: /^\/v1\/audio\/translations$/,
  hasBody: true,
  form: { temperature: 'number' },
  answer(call) {
    const file = fileOf(call)
    translation(call.body, [])
    if (kindOf(call.body, 'translate') !== 'whisper')
      throw badRequest('This model does not support translations.', 'model', 'unsupported_model')
    return render(call, file, 'translate')
  },
}

const endings = ['flac', 'mp3', 'mp4', 'mpeg', 'mpga', 'm4a', 'ogg', 'wav', 'webm']

const mostBytes = 25 * 1024 * 1024

function fileOf({ form }: Call): FormFile {
  if (!form)
    throw new Problem(
      415,
      "Unsupported content type. This API method only accepts 'multipart/form-data'.",
      {
        code: 'unsupported_content_type',
      },
    )
  const other = form.files.find(({ name }) => name !== 'file')
  if (other) throw new FaultError({ kind: 'unknown', path: [other.name] })
  const [file, second] = form.files
  if (!file) throw new FaultError({ kind: 'missing', path: ['file'] })
  if (second) throw badRequest("Duplicate parameter: 'file'.", 'file', 'duplicate_parameter')
  if (file.size > mostBytes)
    throw new Problem(
      413,
      `Maximum content size limit (${mostBytes}) exceeded (${file.size} bytes read)`,
    )
  const ending = /\.(\w+)$/.exec(file.filename ?? '')?.[1]?.toLowerCase() ?? ''
  if (!endings.includes(ending) || file.size === 0)
    throw badRequest(
      `Invalid file format. Supported formats: ['${endings.join("', '")}']`,
      'file',
      'invalid_value',
    )
  return file
}

function refuseOptions(body: JsonObject, kind: Kind): void {
  const names = listOf(body['known_speaker_names'])
  if (names.length !== listOf(body['known_speaker_references']).length)
    throw ruleFault(['known_speaker_names'], 'Each known speaker needs a reference.')
  if (names.length > 0 && kind !== 'diarize')
    throw ruleFault(['known_speaker_names'], 'Known speakers are not supported by this model.')
  if (body['timestamp_granularities'] && body['response_format'] !== 'verbose_json')
    throw ruleFault(
      ['timestamp_granularities'],
      "Timestamp granularities need response_format 'verbose_json'.",
    )
  if (body['include'] && kind !== 'gpt')
    throw ruleFault(['include'], "'logprobs' is not supported by this model.")
}

function render(call: Call, file: FormFile, task: Task): Reply {
  const { body, directives } = call
  const model = textOf(body['model'])
  const kind = kindOf(body, task)
  const format = textOf(body['response_format']) || 'json'
  if (!formats[kind].includes(format))
    throw badRequest(
      `response_format '${format}' is not compatible with model '${model}'. Use one of ${formats[kind].join(', ')} instead.`,
      'response_format',
      'unsupported_value',
    )
  const text = directives.text ?? wordsOf(directives.words)
  const seconds = Math.max(1, Math.ceil(file.size / 16_000))
  const usage = directives.nousage ? {} : { usage: usageOf(kind, body, text, seconds) }
  const whole = wholeOf(format, { text, seconds, task, usage })
  // Whisper ignores that it is asked for a stream.
  if (body['stream'] !== true || kind === 'whisper') return whole
  const deltas = deltasOf(text).map((delta) => ({ data: { type: 'transcript.text.delta', delta } }))
  const segments =
    format === 'diarized_json'
      ? [{ data: { type: 'transcript.text.segment', ...segmentOf(text, seconds) } }]
      : []
  const done = { data: { type: 'transcript.text.done', text, ...usage } }
  const error = renderOpenAiError(directedProblem(directives, 500))
  const failure = [{ name: 'error', data: { type: 'error', error } }]
  const json = 'json' in whole ? whole.json : { text, ...usage }
  return { json, stream: { frames: [...deltas, ...segments, done], failure, framing: 'sse' } }
}

function wordsOf(count: number | undefined): string {
  return count === undefined ? 'Hello from the sandbox.' : generateWords(count)
}

function usageOf(kind: Kind, body: JsonObject, text: string, seconds: number): JsonObject {
  if (kind === 'whisper') return { type: 'duration', seconds }
  const prompt = textOf(body['prompt'])
  const textTokens = prompt === '' ? 0 : countTokens(prompt)
  const input = seconds * 10 + textTokens
  const output = countTokens(text)
  return {
    type: 'tokens',
    input_tokens: input,
    input_token_details: { text_tokens: textTokens, audio_tokens: seconds * 10 },
    output_tokens: output,
    total_tokens: input + output,
  }
}

type Heard = {
  text: string
  seconds: number
  task: Task
  usage: { usage?: JsonObject }
}

function wholeOf(format: string, { text, seconds, task, usage }: Heard): Reply {
  const end = `00:00:${String(seconds % 60).padStart(2, '0')}`
  switch (format) {
    case 'text':
      return textReply(`${text}\n`)
    case 'srt':
      return textReply(`1\n00:00:00,000 --> ${end},000\n${text}\n\n`)
    case 'vtt':
      return textReply(`WEBVTT\n\n00:00:00.000 --> ${end}.000\n${text}\n\n`)
    case 'verbose_json': {
      const segment = { id: 0, seek: 0, start: 0, end: seconds, text, tokens: [], temperature: 0 }
      const language = 'english'
      return { json: { task, language, duration: seconds, text, segments: [segment], ...usage } }
    }
    case 'diarized_json':
      return {
        json: { task, duration: seconds, text, segments: [segmentOf(text, seconds)], ...usage },
      }
    default:
      return { json: { text, ...usage } }
  }
}

function segmentOf(text: string, seconds: number): JsonObject {
  return {
    type: 'transcript.text.segment',
    id: 'seg_1',
    start: 0,
    end: seconds,
    speaker: 'A',
    text,
  }
}

function textReply(text: string): Reply {
  const headers = { 'content-type': 'text/plain; charset=utf-8' }
  return { content: Buffer.from(text), status: 200, headers }
}
