import { request } from 'node:http'

import { describe, expect, test } from 'vitest'

import { answerJson, startFakeAccount } from '../../../src/testing/fake-account.ts'
import { type TestGateway, createTestGateway } from '../../../src/testing/gateway.ts'
import { operationStage, order } from '../operations/stage.ts'

type Headers = Record<string, string | string[]>

/** Asks as a proxy on this machine does, with headers that `fetch` does not send. */
function ask(gateway: TestGateway, path: string, headers: Headers, body?: object): Promise<string> {
  return new Promise((resolve, reject) => {
    const sending = request(
      gateway.url + path,
      {
        method: body ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${gateway.key}`, ...headers },
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => (text += part))
        response.on('end', () => resolve(text))
      },
    )
    sending.on('error', reject).end(body && JSON.stringify(body))
  })
}

/** The addresses in the access log of requests with these headers, each its own request. */
async function clientsOf(gateway: TestGateway, all: readonly Headers[]): Promise<unknown[]> {
  const before = gateway.accessLog.length
  for (const [index, headers] of all.entries()) {
    await ask(gateway, '/v1/models', headers)
    await gateway.logged(before + index + 1)
  }
  return gateway.accessLog.slice(before).map((line) => line['client_ip'])
}

const client = '203.0.113.7'
const forged = '6.6.6.6'
const said = {
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'llm.example.com',
  'x-forwarded-prefix': '/ai',
}

describe('the address of a client', () => {
  test('is what a trusted proxy has written last, and of a stranger its own', async () => {
    const known: readonly (readonly [Headers, string])[] = [
      [{ 'x-forwarded-for': client }, client],
      [{ 'x-forwarded-for': `${forged}, ${client}` }, client],
      [{ 'x-forwarded-for': [forged, client] }, client],
      [{ 'x-forwarded-for': `nonsense, ${client} , 127.0.0.9,::1,10.1.2.3` }, client],
      [{ 'x-forwarded-for': `${forged},${'127.0.0.2,'.repeat(20)}127.0.0.3` }, forged],
      [{ 'x-forwarded-for': `${`${forged},`.repeat(1_500)}${client}` }, client],
      [{ 'x-forwarded-for': `${client}:50123` }, client],
      [{ 'x-forwarded-for': `::ffff:${client}` }, client],
      [{ 'x-forwarded-for': '2001:db8::7' }, '2001:db8::7'],
      [{ 'x-forwarded-for': '[2001:db8::7]:50123' }, '2001:db8::7'],
      [{ 'x-forwarded-for': 'fe80::7%eth0' }, 'fe80::7'],
      // A machine of a trusted network, which no address further away explains.
      [{ 'x-forwarded-for': '10.9.9.9, 10.0.0.1' }, '10.9.9.9'],
      [{ forwarded: `for=${client};proto=https` }, client],
      [{ forwarded: `for=${forged}, For="${client}:80" ; by=10.0.0.1` }, client],
      [{ forwarded: 'for="[2001:db8::7]:4711"' }, '2001:db8::7'],
      [{ forwarded: [`for=${forged};host="a,b;c"`, `for=${client}`] }, client],
      [{ 'x-forwarded-for': client, forwarded: `for=${client}` }, client],
      [{ 'x-forwarded-for': `"${client}:50123"` }, client],
      [{ 'x-forwarded-for': client, forwarded: '' }, client],
      [{ 'x-forwarded-for': '', forwarded: `for=${client}` }, client],
      // Proxies that write the first pass on the second.
      [{ 'x-forwarded-for': client, forwarded: `for=${forged}` }, client],
    ]
    await using behind = await createTestGateway({ trustedProxies: ['loopback', 'private'] })
    await using open = await createTestGateway()
    await using other = await createTestGateway({ trustedProxies: ['private', '2001:db8::/32'] })
    const headers = known.map(([one]) => one)
    expect(await clientsOf(behind, headers)).toEqual(known.map(([, address]) => address))
    for (const gateway of [open, other])
      expect(new Set(await clientsOf(gateway, headers))).toEqual(new Set(['127.0.0.1']))
  })

  test('is the peer’s if a trusted proxy’s header cannot be read', async () => {
    await using gateway = await createTestGateway({ trustedProxies: ['loopback'] })
    const unreadable: readonly Headers[] = [
      ...[
        '',
        ',',
        'unknown',
        `${forged},`,
        `${forged}, unknown`,
        `${forged}, 300.1.1.1`,
        `${forged}, 203.0.113.7:999999`,
        `${forged}, 203.0.113.7:x`,
        `${forged}, [203.0.113.7]`,
        `${forged}, [2001:db8::7`,
        `${forged}, [2001:db8::7]:x`,
        `${forged}, [2001:db8::7]443`,
        `${forged}, 0x7f.0.0.1`,
        `${forged}, ${'9'.repeat(10_000)}`,
        `${forged}, 127.0.0.1%25`,
        `${forged},${'127.0.0.1,'.repeat(1_500)}127.0.0.1`,
      ].map((value) => ({ 'x-forwarded-for': value })),
      ...[
        '',
        'for=unknown',
        'for=_hidden',
        `for=${forged}, proto=https`,
        `for="${forged}`,
        `for=${forged};for=7.7.7.7`,
        `for=${forged};x=", for="203.0.113.7"`,
        `for=${forged};x="\\, for="203.0.113.7"`,
        `for = ${forged}`,
        `${' '.repeat(10)}for${'\t '.repeat(4_000)}`,
        `${'a=b;'.repeat(3_000)}for=${forged}`,
      ].map((value) => ({ forwarded: value })),
    ]
    const clients = await clientsOf(gateway, unreadable)
    expect(clients).toEqual(unreadable.map(() => '127.0.0.1'))
  })

  test('follows a reload of the trusted proxies', async () => {
    await using gateway = await createTestGateway()
    const asked = () => clientsOf(gateway, [{ 'x-forwarded-for': client }])
    expect(await asked()).toEqual(['127.0.0.1'])
    gateway.reload({ trustedProxies: ['127.0.0.1'] })
    expect(await asked()).toEqual([client])
    gateway.reload({ trustedProxies: [] })
    expect(await asked()).toEqual(['127.0.0.1'])
  })
})

describe('URLs of the gateway', () => {
  const urlFor = async (gateway: TestGateway, headers: Headers) => {
    const text = await ask(gateway, '/v1/files/upload_url', headers, { path: 'a.png' })
    const { upload_url, visit_url } = JSON.parse(text) as Record<string, string>
    const bases = [upload_url, visit_url].map((url = '') => url.split('/v1/')[0])
    expect(bases[0]).toBe(bases[1])
    return bases[0]
  }

  test('begin with what a trusted proxy says, and with nothing that is odd or a stranger’s', async () => {
    await using behind = await createTestGateway({ trustedProxies: ['loopback'] })
    await using open = await createTestGateway()
    await using named = await createTestGateway({
      trustedProxies: ['loopback'],
      publicUrl: 'https://public.example',
    })
    expect(await urlFor(behind, said)).toBe('https://llm.example.com/ai')
    expect(await urlFor(open, said)).toBe(open.url)
    expect(await urlFor(named, said)).toBe('https://public.example')
    const { 'x-forwarded-prefix': _, ...plain } = said
    const sound: readonly (readonly [Headers, string])[] = [
      [plain, 'https://llm.example.com'],
      [{ ...said, 'x-forwarded-prefix': '/' }, 'https://llm.example.com'],
      [{ ...plain, 'x-forwarded-host': '[2001:db8::1]:8443' }, 'https://[2001:db8::1]:8443'],
      [
        { ...plain, 'x-forwarded-host': 'evil.example, llm.example.com' },
        'https://llm.example.com',
      ],
      [
        {
          'x-forwarded-for': `${forged}, ${client}, 127.0.0.3`,
          'x-forwarded-proto': 'http, https, http',
          'x-forwarded-host': 'evil.example, llm.example.com, inside:8080',
        },
        'https://llm.example.com',
      ],
      [
        { forwarded: `for=${client};proto=https;host="llm.example.com:8443"` },
        'https://llm.example.com:8443',
      ],
    ]
    for (const [headers, url] of sound) expect(await urlFor(behind, headers)).toBe(url)
    const odd: readonly Headers[] = [
      { 'x-forwarded-host': 'llm.example.com' },
      { 'x-forwarded-proto': 'https' },
      { ...said, 'x-forwarded-proto': 'javascript' },
      ...[
        'a b',
        'a/b',
        'user@evil.example',
        'a?b',
        'a#b',
        'a:99999',
        '',
        '"><script>',
        'x'.repeat(999),
      ].map((host) => ({ ...said, 'x-forwarded-host': host })),
      ...['ai', '//evil.example', '/a/../b', '/./a', '/a?b', '/%2e', '/a'.repeat(99)].map(
        (prefix) => ({
          ...said,
          'x-forwarded-prefix': prefix,
        }),
      ),
    ]
    for (const headers of odd) expect(await urlFor(behind, headers)).toBe(behind.url)
    expect(await urlFor(behind, { ...plain, 'x-forwarded-host': 'llm.example.com/ai' })).toBe(
      behind.url,
    )
    expect(await urlFor(behind, said)).toBe('https://llm.example.com/ai')
  })

  test('of videos begin with it, too', async () => {
    await using stage = await operationStage({ trustedProxies: ['loopback'] })
    const name = await order(stage, 'sandbox/polls=0')
    const operation = await ask(stage.gateway, `/v1beta/${name}`, said)
    expect(operation).toContain('"https://llm.example.com/ai/v1beta/files/')
    const [file] = /files\/\w+/.exec(operation) ?? []
    const described = await ask(stage.gateway, `/v1beta/${file}`, said)
    expect(described).toContain(`"https://llm.example.com/ai/v1beta/${file}"`)
  })
})

test('no account gets what proxies say of a client, or reads it in a URL', async () => {
  await using account = await startFakeAccount(
    answerJson({
      data: [
        {
          b64_json:
            'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
        },
      ],
    }),
  )
  await using gateway = await createTestGateway({
    trustedProxies: ['loopback'],
    accounts: [
      { id: 'a', provider: 'openai', baseUrl: `${account.url}/v1`, apiKey: 'k', models: ['*'] },
    ],
  })
  const headers = {
    ...said,
    'x-forwarded-for': client,
    'x-real-ip': client,
    forwarded: `for=${client};host=llm.example.com`,
  }
  const asked = { model: 'dall-e-2', prompt: 'a cat', response_format: 'url' }
  const text = await ask(gateway, '/v1/images/generations', headers, asked)
  expect(text).toContain('"https://llm.example.com/ai/v1/files/stored/results/')
  expect(account.requests).toHaveLength(1)
  const sent = JSON.stringify(account.requests.map((one) => [one.headers, String(one.body)]))
  expect(sent).not.toMatch(/forwarded|real-ip|203\.0\.113|llm\.example/)
})
