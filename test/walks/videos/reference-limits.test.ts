import { expect, test } from 'vitest'

import { pngFile } from '../../sandbox/pictures.ts'
import { temporaryDirectory } from '../../stores/temporary.ts'
import { type FakeStage, fakeStage, takesVideos } from './fake.ts'
import { post } from './stage.ts'

const answer = takesVideos(() => ({}))
const order = { model: 'm', prompt: 'a cat' }

function form(parts: readonly (readonly [string, string | File])[]): RequestInit {
  const body = new FormData()
  for (const [name, value] of [...Object.entries(order), ...parts]) body.append(name, value)
  return { method: 'POST', body }
}

async function refused({ ask, account }: FakeStage, request: RequestInit) {
  const response = await ask('/v1/videos', request)
  // Their bodies are too large to be shown where they differ.
  expect(account.requests.length).toBe(0)
  const { error } = (await response.json()) as { error: { param: unknown } }
  return [response.status, error.param]
}

test('a client that names its reference by a URL and as a file at once is told so', async () => {
  await using stage = await fakeStage({ answer })
  const both = { image_url: 'https://x.test/a.png', file_id: 'file-1' }
  for (const input_reference of [both, {}]) {
    const request = post({ ...order, input_reference })
    expect(await refused(stage, request)).toEqual([400, 'input_reference'])
  }
})

test('a reference that fits into no memory is refused', async () => {
  await using stage = await fakeStage({ answer })
  const huge = new File([Buffer.alloc(32 * 1024 * 1024 + 1)], 'cat.png')
  const request = form([['input_reference', huge]])
  expect(await refused(stage, request)).toEqual([413, 'input_reference'])
})

test('a field for a reference that a client leaves empty is none', async () => {
  await using stage = await fakeStage({ answer })
  const request = form([
    ['input_reference[image_url]', ''],
    ['input_reference', pngFile()],
  ])
  expect((await stage.ask('/v1/videos', request)).status).toBe(200)
})

test('where an account can reach an upload, it is given its URL', async () => {
  await using directory = await temporaryDirectory()
  await using stage = await fakeStage({
    answer,
    publicUrl: 'https://llm.example.com',
    uploads: { directory: directory.path },
  })
  const issued = await stage.ask('/v1/files/upload_url', post({ path: 'cat.png' }))
  const { upload_url, path } = (await issued.json()) as { upload_url: string; path: string }
  const here = upload_url.replace('https://llm.example.com', stage.gateway.url)
  const bytes = Buffer.from(await pngFile().arrayBuffer())
  expect((await fetch(here, { method: 'PUT', body: bytes })).status).toBe(201)

  const input_reference = { image_url: path }
  expect((await stage.ask('/v1/videos', post({ ...order, input_reference }))).status).toBe(200)
  expect(JSON.parse(String(stage.account.requests[0]?.body))).toMatchObject({
    input_reference: {
      image_url: expect.stringMatching(/^https:\/\/llm\.example\.com\/.*cat\.png\?/) as string,
    },
  })
})
