import { createReadStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { dataUrl, jpegFile, pngFile } from '../../sandbox/pictures.ts'
import { temporaryDirectory } from '../../stores/temporary.ts'
import { post, type VideoStage, videoStage } from './stage.ts'
import { upload } from './uploads.ts'

const model = 'sandbox/polls=0'
const families = ['videos', 'video-operations']

describe.each(families)('on an account that speaks %s', (family) => {
  const accounts = [{ id: 'a', speaks: [family] }]

  test('a client that streams a file from disk has a video made after it', async () => {
    await using directory = await temporaryDirectory()
    await using stage = await videoStage({ accounts })
    const path = join(directory.path, 'cat.png')
    await writeFile(path, Buffer.from(await pngFile([720, 1280]).arrayBuffer()))
    const input_reference = createReadStream(path)
    const created = await stage.openai.videos.create({ model, prompt: 'a cat', input_reference })
    expect(created.status).toBe('queued')
  })

  test('a picture that is called another one is what its bytes show', async () => {
    await using stage = await videoStage({ accounts })
    const input_reference = pngFile([720, 1280], { type: 'image/jpeg', name: 'a "cat".png' })
    const created = await stage.openai.videos.create({ model, prompt: 'a cat', input_reference })
    expect(created.status).toBe('queued')
    expect(referenceOf(stage)).toContain('image/png')
    expect(referenceOf(stage)).not.toContain('image/jpeg')
  })

  test('a client that writes the address itself in place of a file has it used', async () => {
    await using stage = await videoStage({ accounts })
    const url = await dataUrl(pngFile([720, 1280]))
    for (const request of bothWays(url)) {
      const created = await stage.ask('/v1/videos', request)
      expect([created.status, created.headers.get('x-dragoman-losses')]).toEqual([200, null])
      expect(referenceOf(stage)).toContain(url.slice(-100))
    }
  })

  test('a client that writes the path of its upload there has that used', async () => {
    await using directory = await temporaryDirectory()
    await using stage = await videoStage({ accounts, uploads: { directory: directory.path } })
    const path = await upload(stage, pngFile([720, 1280]))
    for (const request of bothWays(path)) {
      expect((await stage.ask('/v1/videos', request)).status).toBe(200)
      expect(referenceOf(stage)).not.toContain('local://')
    }
    expect(stage.sandbox.requests).toHaveLength(2)
  })

  test('a path that is nobody’s upload is not found, and no account is asked', async () => {
    await using directory = await temporaryDirectory()
    await using stage = await videoStage({ accounts, uploads: { directory: directory.path } })
    for (const request of bothWays('local://nothing/cat.png')) {
      expect((await stage.ask('/v1/videos', request)).status).toBe(404)
    }
    expect(stage.sandbox.requests).toEqual([])
  })

  test('a client that brings two references is told so', async () => {
    await using stage = await videoStage({ accounts })
    const two = form({ model, prompt: 'a', input_reference: 'https://x.test/a.png' })
    two.append('input_reference', jpegFile())
    const refused = await stage.ask('/v1/videos', { method: 'POST', body: two })
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { error: { param: 'input_reference' } },
    ])
    expect(stage.sandbox.requests).toEqual([])
  })
})

test('an account of the Videos API reads an address where it looks for one', async () => {
  await using stage = await videoStage()
  const url = 'https://pictures.example/cat.png'
  const [asForm, asJson] = bothWays(url)
  await stage.ask('/v1/videos', asForm)
  expect(stage.sandbox.requests.at(-1)?.form?.fields).toContainEqual(
    expect.objectContaining({ name: 'input_reference[image_url]', value: url }),
  )
  await stage.ask('/v1/videos', asJson)
  expect(JSON.parse(stage.sandbox.requests.at(-1)?.body.toString() ?? '')).toEqual({
    model,
    prompt: 'a cat',
    input_reference: { image_url: url },
  })
})

test('a file of no known kind goes to the account as it came', async () => {
  await using stage = await videoStage()
  const body = form({ model, prompt: 'a cat' })
  body.append('input_reference', new File(['no picture'], 'cat.xyz', { type: 'image/xyz' }))
  await stage.ask('/v1/videos', { method: 'POST', body })
  expect(stage.sandbox.requests.at(-1)?.body.toString()).toMatch(
    /filename="cat\.xyz"\r\ncontent-type: image\/xyz\r\n\r\nno picture/i,
  )
})

/** As a text part of a form, and as a string in JSON. */
function bothWays(input_reference: string): [RequestInit, RequestInit] {
  const fields = { model, prompt: 'a cat', input_reference }
  return [{ method: 'POST', body: form(fields) }, post(fields)]
}

function form(fields: Record<string, string>): FormData {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  return body
}

function referenceOf({ sandbox }: VideoStage): string {
  return sandbox.requests.at(-1)?.body.toString() ?? ''
}
