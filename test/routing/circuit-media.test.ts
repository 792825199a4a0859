import { expect, test } from 'vitest'

import { type DialectName, dialectNames } from '../translate/clients/index.ts'
import { serving } from '../walks/failover/pool.ts'
import { ask } from '../walks/streams/asking.ts'
import { form } from '../walks/streams/forms.ts'
import { stage } from '../walks/streams/scripted.ts'

const base64 = 'iVBORw0KGgo='
const png = `data:image/png;base64,${base64}`
const source = { type: 'base64', media_type: 'image/png', data: base64 }
const user = (...content: object[]) => [{ role: 'user', content }]

/** The same image in each dialect. */
const pictures: Readonly<Record<DialectName, object>> = {
  chat: { messages: user({ type: 'image_url', image_url: { url: png } }) },
  responses: { input: user({ type: 'input_image', image_url: png }) },
  messages: { messages: user({ type: 'image', source }) },
  generate: {
    contents: [{ role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: base64 } }] }],
  },
}

/** An account of the dialect that answers 500 while `fails` says so. */
async function before(dialect: DialectName, fails: (body: string) => boolean) {
  const own = form[dialect]
  const scene = await stage(own, (response, request) => {
    if (!fails(request.body.toString())) return serving(own)(response, request)
    response.writeHead(500, { 'content-type': 'application/json' })
    response.end('{"error":{"message":"image input is not supported"}}')
  })
  const call = async (client: DialectName, fields: object = {}, stream = false) => {
    const { status, body } = await ask(scene.gateway, form[client], {
      stream,
      fields: { ...fields },
    })
    return { status, text: await new Response(body).text() }
  }
  return { scene, call }
}

const hasPicture = (body: string) => body.includes(base64)

test.each(dialectNames)(
  'images at which a %s model for texts fails do not take its texts away',
  async (dialect) => {
    const { scene, call } = await before(dialect, hasPicture)
    await using _ = scene
    for (const client of dialectNames) {
      for (let time = 0; time < 6; time++) await call(client, pictures[client], time % 2 === 1)
    }
    const asked = scene.account.requests.length
    const held = await call(dialect, pictures[dialect])
    expect(held.status).toBe(dialect === 'messages' ? 529 : 503)
    expect(held.text).toContain('5 of 5 calls with images or files got 500')
    expect(scene.account.requests).toHaveLength(asked)
    for (const stream of [false, true]) expect((await call(dialect, {}, stream)).status).toBe(200)
  },
)

test('texts between images end no row of failed images', async () => {
  const { scene, call } = await before('chat', hasPicture)
  await using _ = scene
  for (let time = 0; time < 5; time++) {
    expect((await call('chat', pictures.chat)).status).toBe(500)
    expect((await call('chat')).status).toBe(200)
  }
  expect((await call('chat', pictures.chat)).status).toBe(503)
})

test('an account that fails at everything is closed for texts and images', async () => {
  const { scene, call } = await before('chat', () => true)
  await using _ = scene
  for (const fields of [pictures.chat, {}]) {
    for (let time = 0; time < 5; time++) expect((await call('chat', fields)).status).toBe(500)
    expect((await call('chat', fields)).status).toBe(503)
  }
  expect(scene.account.requests).toHaveLength(10)
})

test('images that streams answer in between keep the circuit of images closed', async () => {
  let fails = true
  const { scene, call } = await before('chat', () => fails)
  await using _ = scene
  for (let time = 0; time < 9; time++) {
    fails = time % 3 !== 2
    const { status } = await call('chat', pictures.chat, true)
    expect(status).toBe(fails ? 500 : 200)
  }
})
