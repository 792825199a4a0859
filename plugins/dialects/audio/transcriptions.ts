import type { RequestBody } from '../../../src/contract/body.ts'
import type { Call } from '../../../src/contract/call.ts'
import { jsonOrEvents } from '../../../src/contract/dialect-info.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import type { Authenticated, Routed } from '../../../src/contract/exchange.ts'
import { defineOperation } from '../../../src/contract/operation.ts'
import { checkBoolean, checkNumber, checkWord, requireString } from '../../../src/kit/checks.ts'
import { createFieldReader, modelAt, plainName } from '../shared/form-values.ts'
import { DocumentInPlaceOfEvents } from './document.ts'
import { AudioObserver } from './observer.ts'
import { textOutcome, transcriptionOutcome } from './outcome.ts'
import { transcriptionSchema, translationSchema } from './schema.ts'
import { transcriptionUsage } from './usage.ts'

const valuesOf = createFieldReader({
  numbers: ['temperature'],
  booleans: ['stream'],
  texts: ['model', 'language', 'response_format'],
})

/** Formats whose replies are texts. */
const textFormats: ReadonlySet<unknown> = new Set(['text', 'srt', 'vtt'])

const formats = ['json', 'text', 'srt', 'verbose_json', 'vtt', 'diarized_json']

/** `POST /v1/audio/transcriptions`. */
export const createTranscription = defineListening({
  id: 'audio.transcribe',
  path: '/v1/audio/transcriptions',
  capability: 'transcribe',
  summary: 'Transcribe audio, streamed with `stream: true`',
  schema: transcriptionSchema,
})

/** `POST /v1/audio/translations`, which has no streams. */
export const createTranslation = defineListening({
  id: 'audio.translate',
  path: '/v1/audio/translations',
  capability: 'translate-audio',
  summary: 'Translate audio into English text',
  schema: translationSchema,
})

interface Listening {
  readonly id: string
  readonly path: string
  readonly capability: string
  readonly summary: string
  readonly schema: { readonly request: object; readonly reply: object }
}

/** Defines an operation that makes text of an audio file. */
function defineListening({ path, ...operation }: Listening) {
  return defineOperation({
    ...operation,
    method: 'POST',
    paths: [path],
    auth: 'key',
    body: 'form',
    replies: [...jsonOrEvents, 'text/plain'],
    understand,
    least: { body: {} },
    forward: {
      target: ({ call, request: { query } }) => ({
        path,
        query,
        ...(!call.stream && { headers: { accept: '*/*' } }),
      }),
      observer: observerOf,
      outcome: transcriptionOutcome,
      outcomeOfText: textOutcome,
      mayBeText: ({ body }) => textFormats.has(valuesOf(body)['response_format']),
      // Some models do not stream, and ignore that they are asked to.
      otherForm: (exchange) => new DocumentInPlaceOfEvents(observerOf(exchange)),
    },
  })
}

function observerOf(exchange: Routed): AudioObserver {
  const usageOf = transcriptionUsage
  return new AudioObserver(exchange, { done: 'transcript.text.done', usageOf })
}

function understand({ isDryRun }: Authenticated, body: RequestBody): Call {
  if (body.form) checkFile(body.form)
  // Operators ask with JSON how calls are routed.
  else if (!isDryRun) throw noForm()
  const values = valuesOf(body)
  checkWord(values, 'response_format', formats)
  checkBoolean(values, 'stream')
  checkNumber(values, 'temperature', 0, 1)
  return {
    model: requireString(values, 'model'),
    modelAt: modelAt(body),
    stream: values['stream'] === true,
    refersTo: [],
    edits: [],
    losses: [],
  }
}

function checkFile({ parts }: NonNullable<RequestBody['form']>): void {
  const files = parts.filter(({ name }) => plainName(name) === 'file')
  const refuse = (code: 'missing_required_parameter' | 'duplicate_parameter' | 'invalid_value') => {
    const message = {
      missing_required_parameter: '`file` is required.',
      duplicate_parameter: '`file` is sent more than once.',
      invalid_value: '`file` must be one file, with exactly this name.',
    }[code]
    throw new GatewayError(code, message, { param: 'file' })
  }
  if (files.length === 0) refuse('missing_required_parameter')
  if (files.length > 1) refuse('duplicate_parameter')
  const [file] = files
  if (file?.filename === undefined || file.name !== 'file') refuse('invalid_value')
}

function noForm(): GatewayError {
  return new GatewayError(
    'unsupported_media_type',
    'Send this request as multipart/form-data, with the audio in `file`.',
  )
}
