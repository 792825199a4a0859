import { describe, expect, test } from 'vitest'

import { openaiVersions } from '../sdk/openai.ts'
import { collect } from '../sdk/walk.ts'
import { audioFile, audioStage } from './stage.ts'

const said = 'Hello from the sandbox.'

describe.each(openaiVersions)('$name', ({ connect, OpenAI }) => {
  test('a client has a text spoken', async () => {
    await using stage = await audioStage()
    const speech = await connect(stage).audio.speech.create({
      model: 'tts-1',
      input: 'hello there',
      voice: 'alloy',
      response_format: 'wav',
    })
    expect(speech.headers.get('content-type')).toBe('audio/wav')
    expect(Buffer.from(await speech.arrayBuffer()).toString('latin1', 0, 3)).toBe('ID3')
  })

  test('a client transcribes and translates in any format', async () => {
    await using stage = await audioStage()
    const { audio } = connect(stage)
    const file = audioFile()
    expect(await audio.transcriptions.create({ model: 'gpt-4o-transcribe', file })).toMatchObject({
      text: said,
    })
    const verbose = await audio.transcriptions.create({
      model: 'whisper-1',
      file,
      response_format: 'verbose_json',
      timestamp_granularities: ['word', 'segment'],
    })
    expect(verbose).toMatchObject({ duration: 2, text: said })
    const vtt = await audio.transcriptions.create({
      model: 'whisper-1',
      file,
      response_format: 'vtt',
    })
    expect(vtt).toContain('WEBVTT')
    expect(await audio.translations.create({ model: 'whisper-1', file })).toMatchObject({
      text: said,
    })
  })

  test('wrong input raises the error of its status', async () => {
    await using stage = await audioStage()
    const { audio } = connect(stage, { maxRetries: 0 })
    const input = 'x'.repeat(5_000)
    const speech = audio.speech.create({ model: 'tts-1', voice: 'alloy', input })
    await expect(speech).rejects.toBeInstanceOf(OpenAI.BadRequestError)
    const file = audioFile(10, 'talk.txt')
    const transcription = audio.transcriptions.create({ model: 'whisper-1', file })
    await expect(transcription).rejects.toMatchObject({ status: 400, param: 'file' })
  })
})

// The version before had no streams of audio.
describe.each(openaiVersions.slice(1))('$name', ({ connect }) => {
  test('a client watches a transcription', async () => {
    await using stage = await audioStage()
    const stream = await connect(stage).audio.transcriptions.create({
      model: 'gpt-4o-transcribe',
      file: audioFile(),
      stream: true,
    })
    const events = await collect(stream)
    expect(events.at(-1)).toMatchObject({ type: 'transcript.text.done', text: said })
  })

  test('a transcription that breaks raises', async () => {
    await using stage = await audioStage()
    const stream = await connect(stage).audio.transcriptions.create({
      model: 'sandbox/cut=2',
      file: audioFile(),
      stream: true,
    })
    await expect(collect(stream)).rejects.toThrow('connection to the upstream')
  })
})
