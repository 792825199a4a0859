import { expect, test } from 'vitest'

import { answerJson, startFakeAccount } from '../../../src/testing/fake-account.ts'
import { boundary, formOf } from '../../multipart/forms.ts'
import { edit, legacy } from './limits.ts'
import { picture } from './lent.ts'
import { imageStage } from './stage.ts'

const formType = `multipart/form-data; boundary=${boundary}`

/** An account that has a newer model in place of the legacy one, as strict as the sandbox is. */
const replacing = { accounts: [{ models: { 'dall-e-2': 'gpt-image-1', old: 'dall-e-2' } }] }

test('a client of the legacy model says how it wants its images, whoever makes them', async () => {
  await using stage = await imageStage(replacing)
  const prompt = 'a cat'
  const urls = await stage.openai.images.generate({
    model: 'dall-e-2',
    prompt,
    response_format: 'url',
  })
  expect(urls.data?.[0]?.url).toMatch(/^http/)
  const bytes = await stage.form(edit(legacy, ['response_format', 'b64_json']))
  expect(await bytes.json()).toMatchObject({ data: [{ b64_json: expect.any(String) }] })
  const lent = await stage.form(edit(legacy, ['response_format', 'url']))
  expect(await lent.json()).toMatchObject({ data: [{ url: expect.stringMatching(/^http/) }] })
  // Its part has an odd name, so that the form is written anew.
  const [, ...rest] = edit(legacy, ['response_format', 'b64_json'])
  const odd = await stage.form([...rest, ['image.0', (edit(legacy)[0] ?? [])[1] ?? '']])
  expect(odd.status).toBe(200)
})

test('an account that has the legacy model is asked for it', async () => {
  await using account = await startFakeAccount(answerJson({ data: [{ b64_json: 'AAAA' }] }))
  await using stage = await imageStage({
    imageModels: { legacy: ['dall-e-2', 'old'] },
    accounts: [
      {
        provider: 'openai-compatible',
        speaks: ['images'],
        baseUrl: `${account.url}/v1`,
        models: { old: 'dall-e-2' },
      },
    ],
  })
  const body = { model: 'old', prompt: 'x', response_format: 'b64_json' }
  expect((await stage.json(body, '/v1/images/generations')).status).toBe(200)
  expect(account.requests[0]?.body.toString()).toContain('response_format')
})

test('the bytes of the rest stay as they are', async () => {
  await using account = await startFakeAccount(answerJson({ data: [{ b64_json: 'AAAA' }] }))
  await using stage = await imageStage({
    accounts: [
      {
        provider: 'openai-compatible',
        speaks: ['images'],
        baseUrl: `${account.url}/v1`,
        models: { 'dall-e-2': 'gpt-image-1' },
      },
    ],
  })
  const seen = () => account.requests.at(-1)?.body.toString('latin1')

  for (const [sent, expected] of [
    [
      '{"response_format" : "b64_json","prompt":"x", "seed": 1.0e0}',
      '{"model":"gpt-image-1","prompt":"x", "seed": 1.0e0}',
    ],
    [
      '{"model": "dall-e-2", "prompt":"x", "seed": 12345678901234567890 ,"response_format":"b64_json"}',
      '{"model": "gpt-image-1", "prompt":"x", "seed": 12345678901234567890}',
    ],
  ] as const) {
    const headers = { authorization: `Bearer ${stage.gateway.key}` }
    const url = `${stage.gateway.url}/v1/images/generations`
    expect((await fetch(url, { method: 'POST', headers, body: sent })).status).toBe(200)
    expect(seen()).toBe(expected)
  }

  const image = {
    head: 'content-disposition:form-data;name=image;filename=a.png\r\nx-own: y\r\nContent-Type: image/png; a=b',
    content: picture,
  }
  const prompt = { name: 'prompt', content: 'x' }
  const format = { name: 'response_format', content: 'b64_json' }
  const model = (name: string) => ({ name: 'model', content: name })
  for (const parts of [
    [format, image, prompt, model('dall-e-2')],
    [image, format, prompt, model('dall-e-2')],
    [image, prompt, model('dall-e-2'), format],
    [image, prompt, format],
  ]) {
    expect((await stage.raw(formType, new Uint8Array(formOf(parts)))).status).toBe(200)
    const kept = parts.filter((part) => part === image || part === prompt)
    const expected = formOf([...kept, model('gpt-image-1')])
    expect(seen()).toBe(expected.toString('latin1'))
  }
})
