import { expect, test } from 'vitest'

import { finished, post, videoStage } from './stage.ts'

const model = 'sandbox/polls=0'

test.each(['prompt', 'seconds', 'size', 'input_reference[image_url]'])(
  'a form in which %s stands twice is refused, since an account might read the other one',
  async (name) => {
    await using stage = await videoStage()
    const body = form([
      ['model', model],
      ...(name === 'prompt' ? [] : [['prompt', 'a cat'] as const]),
      [name, '8'],
      [name, '12'],
    ])
    const refused = await stage.ask('/v1/videos', { method: 'POST', body })
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { error: { param: name, details: [{ code: 'duplicate_parameter' }] } },
    ])
    expect(stage.sandbox.requests).toEqual([])
  },
)

test('a form of a remix holds one prompt as well', async () => {
  await using stage = await videoStage()
  const { id } = await stage.openai.videos.create({ model, prompt: 'a cat' })
  await finished(stage.openai, id)
  const body = form([
    ['prompt', 'a dog'],
    ['prompt', 'a fox'],
  ])
  const refused = await stage.ask(`/v1/videos/${id}/remix`, { method: 'POST', body })
  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    { error: { param: 'prompt' } },
  ])
})

test('a prompt that is a file is no text', async () => {
  await using stage = await videoStage()
  const body = form([['model', model]])
  body.append('prompt', new File(['a cat'], 'prompt.txt'))
  const refused = await stage.ask('/v1/videos', { method: 'POST', body })
  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    { error: { param: 'prompt', message: 'The part `prompt` must be a text, not a file.' } },
  ])
})

test('a video takes its time', async () => {
  await using stage = await videoStage()
  for (const seconds of ['0', '00', '-4', '1.5']) {
    const fields = { model, prompt: 'a cat', seconds }
    const asForm = { method: 'POST', body: form(Object.entries(fields)) }
    for (const request of [post(fields), asForm]) {
      const refused = await stage.ask('/v1/videos', request)
      expect([refused.status, await refused.json()]).toMatchObject([
        400,
        { error: { param: 'seconds' } },
      ])
    }
  }
  expect(stage.sandbox.requests).toEqual([])
})

function form(parts: readonly (readonly [string, string])[]): FormData {
  const body = new FormData()
  for (const [name, value] of parts) body.append(name, value)
  return body
}
