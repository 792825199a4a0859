import { describe, expect, test } from 'vitest'

import { startSandbox } from '../../src/sandbox/index.ts'
import { type Part, postForm, postJson, refusalOf } from './forms.ts'

const speech = '/v1/audio/speech'
const body = { model: 'tts-1', input: 'x', voice: 'alloy' }

describe('speech refuses', () => {
  test.each<[string, object, string, string]>([
    ['no model', { model: undefined }, 'model', 'missing_required_parameter'],
    ['no voice', { voice: undefined }, 'voice', 'missing_required_parameter'],
    ['a voice without an id', { voice: {} }, 'voice.id', 'missing_required_parameter'],
    ['an empty input', { input: '' }, 'input', 'string_below_min_length'],
    ['a long input', { input: 'x'.repeat(4_097) }, 'input', 'string_above_max_length'],
    ['an unknown format', { response_format: 'midi' }, 'response_format', 'invalid_value'],
    ['a slow speed', { speed: 0.2 }, 'speed', 'number_below_min_value'],
    ['an unknown field', { colour: 'red' }, 'colour', 'unknown_parameter'],
    ['a stream of an old model', { stream_format: 'sse' }, 'stream_format', 'unsupported_value'],
  ])('%s', async (_, changes, param, code) => {
    await using sandbox = await startSandbox()
    const refused = await refusalOf(await postJson(sandbox, speech, { ...body, ...changes }))
    expect(refused).toMatchObject({ status: 400, param, code })
  })
})

describe('transcriptions refuse', () => {
  const file: Part = ['file', new File(['x'], 'a.mp3')]
  const whisper: Part = ['model', 'whisper-1']
  const diarize: Part = ['model', 'gpt-4o-transcribe-diarize']
  test.each<[string, Part[], string, string]>([
    ['no file', [whisper], 'file', 'missing_required_parameter'],
    ['two files', [file, file, whisper], 'file', 'duplicate_parameter'],
    [
      'another file',
      [file, ['extra', new File(['x'], 'b.mp3')], whisper],
      'extra',
      'unknown_parameter',
    ],
    ['an empty file', [['file', new File([], 'a.mp3')], whisper], 'file', 'invalid_value'],
    ['no model', [file], 'model', 'missing_required_parameter'],
    ['a model twice', [file, whisper, whisper], 'model', 'duplicate_parameter'],
    [
      'a word for a temperature',
      [file, whisper, ['temperature', 'hot']],
      'temperature',
      'invalid_type',
    ],
    [
      'a warm temperature',
      [file, whisper, ['temperature', '1.1']],
      'temperature',
      'number_above_max_value',
    ],
    [
      'a format of speakers',
      [file, whisper, ['response_format', 'diarized_json']],
      'response_format',
      'unsupported_value',
    ],
    [
      'times without words',
      [file, whisper, ['timestamp_granularities[]', 'word']],
      'timestamp_granularities',
      '',
    ],
    [
      'five speakers',
      [file, diarize, ...Array.from({ length: 5 }, (): Part => ['known_speaker_names[]', 'x'])],
      'known_speaker_names',
      'array_above_max_item_count',
    ],
    [
      'a speaker without a sample',
      [file, diarize, ['known_speaker_names[]', 'x']],
      'known_speaker_names',
      '',
    ],
  ])('%s', async (_, parts, param, code) => {
    await using sandbox = await startSandbox()
    const refused = await refusalOf(await postForm(sandbox, '/v1/audio/transcriptions', parts))
    expect(refused).toMatchObject({ status: 400, param, ...(code && { code }) })
  })

  test.each([
    ['translations', 'json'],
    ['transcriptions', 'srt'],
    ['transcriptions', 'diarized_json'],
  ])('no %s as %s by a model that steers, which stands for any', async (path, format) => {
    await using sandbox = await startSandbox()
    const parts: Part[] = [file, ['model', 'sandbox/echo'], ['response_format', format]]
    const answered = await postForm(sandbox, `/v1/audio/${path}`, parts)
    expect([answered.status, await answered.text()]).toEqual([200, expect.stringMatching(/Hello/)])
  })

  test('a translation by a model that has none', async () => {
    await using sandbox = await startSandbox()
    const parts: Part[] = [file, ['model', 'gpt-4o-transcribe']]
    const refused = await refusalOf(await postForm(sandbox, '/v1/audio/translations', parts))
    expect(refused).toMatchObject({ status: 400, param: 'model' })
  })
})
