import { describe, expect, test } from 'vitest'

import { dailyRows } from '../../daily-rows.ts'
import { type DialectName, dialectNames } from '../../requests/dialects.ts'
import { type Service, accountsAt, startService } from '../../requests/service.ts'

/** A gateway whose only account speaks one dialect. */
async function speaking(account: DialectName): Promise<Service> {
  const service = await startService()
  const accounts = accountsAt(service.upstream.url)
  const providers = {
    chat: 'openai',
    responses: 'openai',
    messages: 'anthropic',
    generate: 'gemini',
  }
  const own = accounts.find(({ id }) => id === providers[account])
  service.gateway.reload({ accounts: [{ ...own!, speaks: [account] }] })
  return service
}

const data = Buffer.from('\xff\xd8\xff picture', 'latin1').toString('base64')

const pictures: Record<DialectName, object> = {
  chat: {
    messages: [
      {
        role: 'user',
        content: [{ type: 'image_url', image_url: { url: `data:image/JPG;base64,${data}` } }],
      },
    ],
  },
  responses: {
    input: [
      {
        role: 'user',
        content: [{ type: 'input_image', image_url: `data:image/jpg;base64,${data}` }],
      },
    ],
  },
  messages: {
    messages: [
      {
        role: 'user',
        content: [{ type: 'image', source: { type: 'base64', media_type: 'image/jpg', data } }],
      },
    ],
  },
  generate: { contents: [{ parts: [{ inlineData: { mimeType: 'Image/Jpg', data } }] }] },
}

const pairs = dialectNames.flatMap((client) =>
  dialectNames.filter((account) => account !== client).map((account) => [client, account] as const),
)

test.each(dailyRows(pairs))(
  'a picture of image/jpg from a %s client is image/jpeg at %s',
  async (client, account) => {
    await using service = await speaking(account)
    const response = await service.ask(client, pictures[client])
    expect(response.status, await response.text()).toBe(200)
    const sent = service.received().body.toString()
    expect(sent).toContain('image/jpeg')
    expect(sent).not.toMatch(/image\/jpg/i)
    expect(sent).toContain(data)
  },
)

const latin = Buffer.from('wörld', 'latin1').toString('base64')
const charset = 'charset=iso-8859-1'

const documents = [
  ['text/plain', 'Hello, wörld'],
  ['text/csv; charset=utf-8', 'a,b\n1,"2"'],
  ['text/markdown', '# Title'],
  ['application/json', '{"a": [1.0]}'],
  ['application/ld+json', '{"@id": 1}'],
  ['application/xml', '<a/>'],
] as const

describe.each(documents)('a document of %s of a Gemini client', (mimeType, text) => {
  const contents = (displayName?: string) => [
    {
      parts: [
        { text: 'Read.' },
        {
          inlineData: {
            mimeType,
            data: Buffer.from(text).toString('base64'),
            ...(displayName && { displayName }),
          },
        },
      ],
    },
  ]

  test('is a text at a Chat account, with its name', async () => {
    await using service = await speaking('chat')
    for (const [name, expected] of [
      [undefined, text],
      ['table.csv', `table.csv\n\n${text}`],
    ] as const) {
      expect((await service.ask('generate', { contents: contents(name) })).status).toBe(200)
      const { messages } = JSON.parse(service.received().body.toString()) as {
        messages: { content: unknown }[]
      }
      expect(messages[0]?.content).toEqual([
        { type: 'text', text: 'Read.' },
        { type: 'text', text: expected },
      ])
    }
  })

  test('is a document of text at a Messages account', async () => {
    await using service = await speaking('messages')
    expect((await service.ask('generate', { contents: contents() })).status).toBe(200)
    const { messages } = JSON.parse(service.received().body.toString()) as {
      messages: { content: unknown[] }[]
    }
    expect(messages[0]?.content[1]).toEqual({
      type: 'document',
      source: { type: 'text', media_type: 'text/plain', data: text },
    })
  })
})

describe.each(['chat', 'messages'] as const)('a document of text at a %s account', (account) => {
  test.each(['!!!!', 'SGVsb', 'SGVs=bG8'])('that is no base64 (%s) is a 400', async (broken) => {
    await using service = await speaking(account)
    const part = { inlineData: { mimeType: 'text/plain', data: broken } }
    const response = await service.ask('generate', {
      contents: [{ parts: [{ text: 'Read.' }, part] }],
    })
    expect([response.status, service.upstream.requests.length]).toEqual([400, 0])
    expect(await response.text()).toContain('contents[0].parts[1].inlineData')
  })

  test.each(['SGVsbG8', 'SGVs\nbG8=\n'])(
    'may be base64 as clients write it (%j)',
    async (written) => {
      await using service = await speaking(account)
      const part = { inlineData: { mimeType: 'text/plain', data: written } }
      expect((await service.ask('generate', { contents: [{ parts: [part] }] })).status).toBe(200)
      expect(service.received().body.toString()).toContain('Hello')
    },
  )
})

const noTexts = [
  ['text/plain; charset=utf-16le', '!!!! no base64 !!!!', 'base64'],
  ['text/plain; charset=nonsense', latin, 'nonsense'],
  ['text/plain; charset=shift_jis', Buffer.from([0x81]).toString('base64'), 'shift_jis'],
] as const

describe.each(['chat', 'messages', 'responses', 'generate'] as const)(
  'a document that is no text of its charset',
  (account) => {
    test.each(noTexts)(`of %s (%j) is a 400 before it reaches ${account}`, async (...document) => {
      const [type, written, word] = document
      await using service = await speaking(account)
      const file = { type: 'file', file: { file_data: `data:${type};base64,${written}` } }
      const inline = { inlineData: { mimeType: type, data: written } }
      const response =
        account === 'generate'
          ? await service.ask('chat', { messages: [{ role: 'user', content: [file] }] })
          : await service.ask('generate', { contents: [{ parts: [inline] }] })
      expect([response.status, service.upstream.requests.length]).toEqual([400, 0])
      expect(await response.text()).toContain(word)
    })
  },
)

test.each(['chat', 'messages'] as const)(
  'a document in another charset that its type does not name is a 400, no text without its letters (%s)',
  async (account) => {
    await using service = await speaking(account)
    const part = { inlineData: { mimeType: 'text/csv', data: latin } }
    const response = await service.ask('generate', { contents: [{ parts: [part] }] })
    expect([response.status, service.upstream.requests.length]).toEqual([400, 0])
    expect(await response.text()).toContain('utf-8')
  },
)

test('a PDF of a Gemini client stays a file at a Chat account', async () => {
  await using service = await speaking('chat')
  const part = { inlineData: { mimeType: 'application/pdf', data: 'JVBERi0=' } }
  expect((await service.ask('generate', { contents: [{ parts: [part] }] })).status).toBe(200)
  expect(service.received().body.toString()).toContain('data:application/pdf;base64,JVBERi0=')
})

/** The same text of another charset, as clients send it. */
const latinDocuments: Partial<Record<DialectName, object>> = {
  chat: {
    messages: [
      {
        role: 'user',
        content: [
          { type: 'file', file: { file_data: `data:text/plain;${charset};base64,${latin}` } },
        ],
      },
    ],
  },
  responses: {
    input: [
      {
        role: 'user',
        content: [{ type: 'input_file', file_data: `data:text/plain;${charset},w%F6rld` }],
      },
    ],
  },
  generate: {
    contents: [{ parts: [{ inlineData: { mimeType: `text/plain; ${charset}`, data: latin } }] }],
  },
}

test.each(pairs.filter(([client]) => client in latinDocuments))(
  'a text in another charset of a %s client arrives as what it says at %s',
  async (client, account) => {
    await using service = await speaking(account)
    const response = await service.ask(client, latinDocuments[client])
    expect(response.status, await response.text()).toBe(200)
    const sent = service.received().body.toString()
    const encoded = Buffer.from('wörld').toString('base64')
    expect(sent.includes('wörld') || sent.includes(encoded), sent).toBe(true)
    expect(sent).not.toMatch(/charset|iso-8859/)
    if (account === 'responses') expect(sent).toContain('"filename":"document.txt"')
  },
)

const quotedTypes = [
  ['text/plain;name=";charset=utf-16le";charset=utf-8', 'utf8'],
  ['text/plain;charset=utf-8;charset=utf-16le', 'utf8'],
  ['text/plain;charset="iso-8859-1";charset=utf-8', 'latin1'],
] as const

describe.each(['chat', 'messages', 'responses', 'generate'] as const)(
  'a document whose type has several charsets, or one in quotes',
  (account) => {
    test.each(quotedTypes)(`of %s is read as MIME says for ${account}`, async (type, encoding) => {
      await using service = await speaking(account)
      const data = Buffer.from('plain wörds.', encoding).toString('base64')
      const file = { type: 'file', file: { file_data: `data:${type};base64,${data}` } }
      const inline = { inlineData: { mimeType: type, data } }
      const response =
        account === 'generate'
          ? await service.ask('chat', { messages: [{ role: 'user', content: [file] }] })
          : await service.ask('generate', { contents: [{ parts: [inline] }] })
      expect(response.status, await response.text()).toBe(200)
      const sent = service.received().body.toString()
      const encoded = Buffer.from('plain wörds.').toString('base64')
      expect(sent.includes('plain wörds.') || sent.includes(encoded), sent).toBe(true)
    })
  },
)

test.each(['messages', 'generate', 'responses'] as const)(
  'a PDF whose data URL has parameters is a PDF at %s',
  async (account) => {
    await using service = await speaking(account)
    const file_data = 'data:application/pdf;charset=utf-8;name=x.pdf;base64,JVBERi0='
    const content = [{ type: 'file', file: { file_data, filename: 'x.pdf' } }]
    const response = await service.ask('chat', { messages: [{ role: 'user', content }] })
    expect(response.status, await response.text()).toBe(200)
    const sent = service.received().body.toString()
    expect(sent).toContain('application/pdf')
    expect(sent).not.toContain('charset')
  },
)
