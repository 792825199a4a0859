import { expect, test } from 'vitest'

import { dialectNames, dialects } from './dialects.ts'
import { startService } from './service.ts'

/** Fields of tomorrow, and odd ones. */
const unknown = {
  brand_new_field: { nested: [1, { deep: null }] },
  '': 0,
  constructor: 'x',
  toString: false,
  'with space': 'é',
}

test.each(dialectNames)('#18 %s: fields that nobody knows yet are passed on', async (dialect) => {
  await using service = await startService()
  const fields = { ...unknown, ['__proto__']: { polluted: true } }
  const response = await service.ask(dialect, fields)
  expect(response.status).toBe(200)
  expect(JSON.parse(service.received().body.toString())).toEqual({
    ...dialects[dialect].request,
    ...fields,
  })
})

test.each(dialectNames)('#16 %s: unknown kinds of content are passed on', async (dialect) => {
  await using service = await startService()
  const odd = [{ type: 'hologram', role: 'narrator', parts: 5, content: { text: ['?'] } }]
  const fields = { input: odd, messages: odd, contents: odd, tools: [{ type: 'teleport' }] }
  expect((await service.ask(dialect, fields)).status).toBe(200)
  expect(JSON.parse(service.received().body.toString())).toMatchObject(fields)
})

test('C6: tool_choice objects and all kinds of tools are passed on', async () => {
  await using service = await startService()
  const tools = [
    { type: 'custom', name: 'x', format: { type: 'grammar', syntax: 'lark', definition: 's' } },
    { type: 'mcp', server_label: 'deepwiki' },
    { type: 'image_generation' },
  ]
  const fields = { tools, tool_choice: { type: 'allowed_tools', mode: 'auto', tools } }
  for (const dialect of ['responses', 'chat'] as const) {
    expect((await service.ask(dialect, fields)).status).toBe(200)
    expect(JSON.parse(service.received().body.toString())).toMatchObject(fields)
  }
})

test('C17: any service tier is passed on', async () => {
  await using service = await startService()
  for (const service_tier of ['default', 'scale', 'auto', 'flex', 'priority', 'ultrafast']) {
    expect((await service.ask('responses', { service_tier })).status).toBe(200)
    expect((await service.ask('chat', { service_tier })).status).toBe(200)
    expect(service.received().body.toString()).toContain(`"${service_tier}"`)
  }
})

test('deprecated chat parameters stay accepted', async () => {
  await using service = await startService()
  const fields = {
    max_tokens: 5,
    functions: [{ name: 'f', parameters: {} }],
    function_call: { name: 'f' },
    user: 'someone',
  }
  expect((await service.ask('chat', fields)).status).toBe(200)
  expect(JSON.parse(service.received().body.toString())).toMatchObject(fields)
})
