import { describe, expect, test } from 'vitest'

import { bodyOf, startMixed } from '../losses/mixed.ts'
import { form } from '../streams/forms.ts'
import { changing, clock, instructing, masked, masking, offering } from './changers.ts'

/** Bodies as no codec writes them: odd spaces, numbers and escapes, and members of the future. */
const odd = {
  chat: `{ "model":"m","x_future":{"n": 12345678901234567890, "of":"secret"},
    "messages":[ {"role":"user","x_tag":1e0,"content":[{"type":"text","text":"a secret \\u00e9","x":[ ]}]} ] ,"seed":7 }`,
  messages: `{"max_tokens":9,"model":"m", "messages":[{"role":"user","content":
    [{"text":"a secret \\u00e9","type":"text","cache_control":{"type":"ephemeral"}}]}],"x_future":12345678901234567890}`,
  responses: `{"model":"m","input":[{"role":"user","content":[{"type":"input_text", "text":"a secret \\u00e9"}]}],
    "x_future":{"n":1.50,"of":"secret"}}`,
  generate: `{"contents":[{"role":"user","parts":[{ "text":"a secret \\u00e9" ,"x":1.0}]}],"xFuture":[12345678901234567890]}`,
} as const

type Name = keyof typeof odd
const names = Object.keys(odd) as Name[]

async function send(
  name: Name,
  plugins: Parameters<typeof startMixed>[1],
  body: string = odd[name],
) {
  await using mixed = await startMixed({ a: { form: form[name] } }, plugins)
  const { gateway, accounts } = mixed
  const response = await fetch(gateway.url + form[name].path('m', false), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${gateway.key}`,
      'content-type': 'application/json',
      ...form[name].headers,
    },
    body,
  })
  const text = await response.text()
  return {
    status: response.status,
    text,
    losses: response.headers.get('x-dragoman-losses'),
    sent: accounts.a.requests[0]?.body.toString(),
    json: accounts.a.requests.length > 0 ? bodyOf(accounts.a) : undefined,
  }
}

describe.each(names)('%s on an account of its own', (name) => {
  test('a text that a plugin changes is replaced where it stands, and all else stays', async () => {
    const { status, sent, losses } = await send(name, { plugins: [masking('secret')] })

    expect(status).toBe(200)
    expect(sent).toBe(odd[name].replace('"a secret \\u00e9"', '"a [hidden] é"'))
    expect(losses).toBeNull()
  })

  test('a request that no plugin changes passes byte for byte', async () => {
    const copies = changing((request) => structuredClone(request), 'copies')
    const { sent } = await send(name, { plugins: [masking('absent'), copies] })

    expect(sent).toBe(odd[name])
  })

  test('a system text and a tool are added, and what stands there stays', async () => {
    const plugins = [masking('secret'), instructing('Be brief.'), offering(clock)]
    const { status, sent = '', losses } = await send(name, { plugins })

    expect(status).toBe(200)
    expect(losses).toBeNull()
    for (const kept of odd[name].matchAll(/"(x_future|xFuture)":(?:\{[^}]*\}|\[[^\]]*\]|\d+)/g)) {
      expect(sent).toContain(kept[0])
    }
    expect(sent).toMatch(/a \[hidden\] é/)
    expect(sent).toContain('Be brief.')
    expect(sent).toContain('read_clock')
    if (name === 'messages') expect(sent).toContain('"cache_control":{"type":"ephemeral"}')
    if (name === 'chat') expect(sent).toContain('"x_tag":1e0')
  })
})

test('a text that is also a word of the dialect is found where it is a text', async () => {
  const body = `{"model":"m","messages":[{"role":"user","content":"user"},{"role":"assistant","content":"text"},{"role":"user","content":[{"type":"text","text":"text"}]}]}`
  const plugin = changing((request) => masked(masked(request, 'user', 'me'), 'text', 'word'))
  const { sent } = await send('chat', { plugins: [plugin] }, body)

  expect(sent).toBe(
    `{"model":"m","messages":[{"role":"user","content":"me"},{"role":"assistant","content":"word"},{"role":"user","content":[{"type":"text","text":"word"}]}]}`,
  )
})

test('the same text in two places may become two texts', async () => {
  const body = `{"model":"m","messages":[{"role":"user","content":"hi"},{"role":"user","content":"hi"}]}`
  let count = 0
  const numbering = changing((request) => ({
    ...request,
    turns: request.turns.map((turn) =>
      turn.role === 'user' ? { ...turn, content: [{ type: 'text', text: `hi ${++count}` }] } : turn,
    ),
  }))
  const { sent } = await send('chat', { plugins: [numbering] }, body)

  expect(sent).toBe(
    `{"model":"m","messages":[{"role":"user","content":"hi 1"},{"role":"user","content":"hi 2"}]}`,
  )
})

test('a setting that a plugin changes or removes is the only one that changes', async () => {
  const body = `{"contents":[{"parts":[{"text":"hi"}]}],"generationConfig":{"temperature":0.90, "xNew":1.0,"topK":3}}`
  const cool = changing((request) => ({ ...request, sampling: { temperature: 0.2 } }))
  const { sent, losses } = await send('generate', { plugins: [cool] }, body)

  expect(sent).toBe(
    `{"contents":[{"parts":[{"text":"hi"}]}],"generationConfig":{"temperature":0.2, "xNew":1.0}}`,
  )
  expect(losses).toBeNull()
})

test('turns and tools that a plugin removes are gone, with their commas', async () => {
  const tool = (name: string) =>
    `{"type":"function","function":{"name":"${name}","parameters":{"type":"object"}}}`
  const body = `{"model":"m","messages":[{"role":"system","content":"x"}, {"role":"user","content":"hi"}],"tools":[${tool('a')} , ${tool('b')}]}`
  const shorter = changing((request) => ({
    ...request,
    turns: request.turns.slice(1),
    tools: request.tools.slice(0, 1),
  }))
  const { sent } = await send('chat', { plugins: [shorter] }, body)

  expect(sent).toBe(
    `{"model":"m","messages":[{"role":"user","content":"hi"}],"tools":[${tool('a')}]}`,
  )
})

test('arguments of a call, which some dialects hold as an object, are changed there', async () => {
  const body = `{"max_tokens":9,"model":"m","messages":[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{"card":"4111"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"ok","cache_control":{"type":"ephemeral"}}]}],"tools":[{"name":"f","input_schema":{"type":"object"}}]}`
  const plugin = changing((request) => ({
    ...request,
    turns: request.turns.map((turn) =>
      turn.role === 'assistant'
        ? {
            ...turn,
            content: turn.content.map((part) =>
              part.type === 'tool_call'
                ? { ...part, arguments: part.arguments.replace('4111', '0000') }
                : part,
            ),
          }
        : turn,
    ),
  }))
  const { sent, status } = await send('messages', { plugins: [plugin] }, body)

  expect(status).toBe(200)
  expect(sent).toBe(body.replace('4111', '0000'))
})

test('where the client writes in another form than the gateway, the losses are named', async () => {
  const body = `{"model":"m","functions":[{"name":"old","parameters":{"type":"object"}}],"x_future":1,"messages":[{"role":"user","content":"hi"}]}`
  const { json, losses, status } = await send('chat', { plugins: [offering(clock)] }, body)

  expect(status).toBe(200)
  expect(json).toMatchObject({
    model: 'm',
    tools: [{ function: { name: 'old' } }, { function: { name: 'read_clock' } }],
  })
  expect(json).not.toHaveProperty('functions')
  expect(losses).toBe('x_future')
})

test("what the client's dialect has no field for is a loss", async () => {
  const plugin = changing((request) => ({ ...request, sampling: { topK: 3 } }))
  const { status, losses, sent } = await send('chat', { plugins: [plugin] })

  expect(status).toBe(200)
  expect(losses).toContain('sampling.topK')
  expect(sent).toContain('"x_tag":1e0')
})

test('a caller without losses is refused a change that loses a field', async () => {
  const plugin = changing((request) => ({ ...request, sampling: { topK: 3 } }))
  const { status, sent, text } = await send('chat', { plugins: [plugin], losses: 'reject' })

  expect(status).toBe(400)
  expect(text).toContain('sampling.topK')
  expect(sent).toBeUndefined()
})

test('a document in another charset beside a change stays as the client wrote it', async () => {
  const url = `data:text/plain;charset=euc-jp;base64,${Buffer.from([0xc6, 0xfc]).toString('base64')}`
  const messages = [{ role: 'user', content: [{ type: 'file', file: { file_data: url } }] }]
  const plugins = [instructing('Be brief.')]
  const { status, sent } = await send('chat', { plugins }, JSON.stringify({ model: 'm', messages }))
  expect([status, sent]).toEqual([200, expect.stringContaining('Be brief.')])
  expect(sent).toContain(url)
})

describe('a turn that a plugin inserts before a file', () => {
  const file = {
    type: 'file',
    file: { filename: 'a.csv', file_data: 'data:text/csv;base64,YSxiCg==' },
  }
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }

  test('leaves the parts behind it as the client wrote them', async () => {
    const inserts = changing(
      ({ turns, ...request }) => ({
        ...request,
        turns: [{ role: 'user', content: [{ type: 'text', text: 'Before.' }] }, ...turns],
      }),
      'inserts',
    )
    const content = [{ type: 'text', text: 'Read this.' }, file, image]
    const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] })
    const { status, json } = await send('chat', { plugins: [inserts] }, body)
    expect(status).toBe(200)
    expect(json).toMatchObject({ messages: [{ role: 'user' }, { role: 'user', content }] })
  })
})
