import { expect, test } from 'vitest'

import { startService } from '../../uploads/service.ts'

const account = { id: 'a', provider: 'sandbox', baseUrl: 'http://127.0.0.1:9', apiKey: 'x' }
const missing = 'local://nowhere/cat.png'

test.each([
  ['a form', formOf(missing)],
  ['JSON', JSON.stringify({ model: 'film', prompt: 'a hat', images: [{ image_url: missing }] })],
])('an edit whose picture is not there is logged with its model: %s', async (_, body) => {
  await using service = await startService({
    accounts: [{ ...account, models: ['gpt-image-1'] }],
    aliases: { film: 'gpt-image-1' },
  })
  const response = await fetch(`${service.gateway.url}/v1/images/edits`, {
    method: 'POST',
    headers: {
      authorization: 'Bearer key-of-alice',
      ...(typeof body === 'string' && { 'content-type': 'application/json' }),
    },
    body,
  })
  expect(response.status).toBe(404)
  const [line] = await service.gateway.logged(1)
  expect(line).toMatchObject({ route: 'images.edit', status: 404, model_requested: 'film' })
})

function formOf(image: string): FormData {
  const form = new FormData()
  form.append('image', image)
  form.append('prompt', 'a hat')
  form.append('model', 'film')
  return form
}
