import { expect, test, vi } from 'vitest'
import { startSandbox } from '../../src/sandbox/index.ts'
import { readImageHeader } from '../../src/sandbox/media/read-image-header.ts'
import { clientsOf } from './clients.ts'
import { pngFile } from './pictures.ts'

test('dall-e-2 answers with addresses of real images, which last an hour', async () => {
  await using sandbox = await startSandbox()
  const { openai } = clientsOf(sandbox)
  const edited = await openai.images.edit({
    model: 'dall-e-2',
    prompt: 'x',
    image: pngFile(64, { seeThrough: true }),
    size: '256x256',
  })
  expect(Object.keys(edited)).toEqual(['created', 'data'])
  const url = edited.data?.[0]?.url ?? ''
  const fetched = await fetch(url)
  expect(fetched.headers.get('content-type')).toBe('image/png')
  expect(readImageHeader(Buffer.from(await fetched.arrayBuffer()))).toMatchObject({ width: 256 })

  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61 * 60 * 1000 })
  try {
    expect((await fetch(url)).status).toBe(404)
  } finally {
    vi.useRealTimers()
  }
})

test('dall-e-2 is meant where no model is named and nothing newer is asked for', async () => {
  await using sandbox = await startSandbox()
  const { openai } = clientsOf(sandbox)
  const base = { prompt: 'x', image: pngFile(64, { seeThrough: true }) }
  expect((await openai.images.edit({ ...base, n: 2 })).data?.[1]?.url).toBeDefined()
  const newer = await openai.images.edit({ ...base, input_fidelity: 'high' })
  expect(newer.data?.[0]?.b64_json).toBeDefined()
})

test('dall-e-2 answers with base64 if asked to', async () => {
  await using sandbox = await startSandbox()
  const response_format = 'b64_json'
  const image = pngFile(64, { seeThrough: true })
  const edited = await clientsOf(sandbox).openai.images.edit({
    model: 'dall-e-2',
    prompt: 'x',
    image,
    response_format,
  })
  const bytes = Buffer.from(edited.data?.[0]?.b64_json ?? '', 'base64')
  expect(readImageHeader(bytes)).toMatchObject({ width: 1024, height: 1024 })
})
