import { execFileSync } from 'node:child_process'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { describeSettings } from '../../src/configuration/describe.ts'
import { checkConfiguration } from '../../src/configuration/resolve.ts'
import { expiredCertificates } from '../../src/cli/checks/settings.ts'
import { type Authority, type Pair, createAuthority } from '../account-settings/certificates.ts'

let authority: Authority
let pair: Pair
let other: Pair

beforeAll(async () => {
  authority = await createAuthority()
  pair = await authority.issue('client')
  other = await authority.issue('other')
})

afterAll(() => authority[Symbol.asyncDispose]())

const canary = 'canary-0123456789'
const account = { id: 'a', provider: 'openai', apiKey: 'sk-1', models: ['m'] }

function check(settings: object, env: Record<string, string> = {}) {
  const checked = checkConfiguration({ accounts: [{ ...account, ...settings }] }, { env })
  return { ...checked, setting: checked.settings.accounts[0] }
}

describe('a proxy', () => {
  test.each(['http://proxy.example.com:3128', 'https://proxy.example.com', 'http://[::1]:3128/'])(
    'is %s',
    (proxy) => {
      expect(check({ proxy })).toMatchObject({ problems: [], setting: { proxy } })
    },
  )

  test('has credentials in a variable, and operators do not see them', () => {
    const url = `http://user:${canary}@proxy.example.com:3128`
    const { settings, setting, problems } = check({ proxy: 'env:PROXY' }, { PROXY: url })

    expect(problems).toEqual([])
    expect(setting).toMatchObject({ proxy: url, secrets: [canary] })
    const shown = [...describeSettings(settings)]
    expect(shown).toContainEqual({ path: 'accounts[0].proxy', value: 'env:PROXY', origin: 'FILE' })
    expect(JSON.stringify(shown)).not.toContain(canary)
  })

  test.each([
    [`http://user:${canary}@proxy.example.com`, 'has credentials in its text'],
    [`socks5://proxy.example.com/${canary}`, 'is not the http(s) URL of a proxy'],
    [`proxy.example.com:3128`, 'is not the http(s) URL of a proxy'],
    [`http://proxy.example.com/${canary}`, 'has more than the address of a proxy'],
    ['env:MISSING', 'the environment variable MISSING is not set'],
    [true, 'must be the URL of a proxy'],
    ['', 'must be the URL of a proxy'],
  ])('is not %s', (proxy, message) => {
    const { problems } = check({ proxy })

    expect(problems).toEqual([
      {
        path: 'accounts[0].proxy',
        message: expect.stringContaining(message),
        fix: expect.any(String),
      },
    ])
    expect(JSON.stringify(problems)).not.toContain(canary)
  })

  test.each(['HTTPS_PROXY', 'http_proxy'])('of the environment (%s) is checked, too', (name) => {
    const { problems } = check({}, { [name]: `socks5://${canary}@proxy` })

    expect(problems).toEqual([
      {
        path: name,
        message: 'is not the http(s) URL of a proxy',
        fix: `set ${name}=http://HOST:PORT`,
      },
    ])
  })
})

test('certificates and keys are texts, or what variables and files have', () => {
  const { settings, setting, problems } = check(
    {
      ca: `file:${authority.directory}/ca.pem`,
      clientCertificate: { cert: pair.cert + authority.ca, key: 'env:CLIENT_KEY' },
    },
    { CLIENT_KEY: pair.key },
  )

  expect(problems).toEqual([])
  expect(setting?.ca?.trim()).toBe(authority.ca.trim())
  expect(setting?.clientCertificate?.key).toBe(pair.key)
  const shown = JSON.stringify([...describeSettings(settings)])
  expect(shown).toContain('env:CLIENT_KEY')
  expect(shown).not.toContain('BEGIN')
})

test('an encrypted key needs its passphrase', () => {
  const key = execFileSync('openssl', ['pkey', '-aes256', '-passout', `pass:${canary}`], {
    input: pair.key,
  }).toString()
  const withPassphrase = (passphrase?: string) =>
    check({ clientCertificate: { cert: pair.cert, key, ...(passphrase && { passphrase }) } })

  expect(withPassphrase(canary)).toMatchObject({
    problems: [],
    setting: { clientCertificate: { passphrase: canary } },
  })
  expect(withPassphrase().problems).toMatchObject([
    { path: 'accounts[0].clientCertificate.key', message: 'is encrypted' },
  ])
  expect(withPassphrase('another').problems).toMatchObject([
    {
      path: 'accounts[0].clientCertificate.key',
      message: 'is not a private key in PEM, or its passphrase is another',
    },
  ])
})

test('what cannot work is a problem with a fix, which repeats nothing', () => {
  const damaged = pair.cert.replace(/\n.{20}/, '\nAAAAAAAAAAAAAAAAAAAA')
  const cases = [
    [{ ca: canary }, 'ca', 'has no certificate in PEM'],
    [{ ca: pair.key }, 'ca', 'has no certificate in PEM'],
    [{ ca: authority.ca + damaged }, 'ca', 'its certificate 2 is damaged'],
    [{ ca: 'file:/nowhere/ca.pem' }, 'ca', 'does not exist'],
    [{ clientCertificate: { cert: canary, key: pair.key } }, 'clientCertificate.cert', 'in PEM'],
    [{ clientCertificate: { cert: pair.cert, key: canary } }, 'clientCertificate.key', 'in PEM'],
    [
      { clientCertificate: { cert: pair.cert, key: other.key } },
      'clientCertificate.key',
      'does not belong to the certificate',
    ],
    [{ clientCertificate: { cert: pair.cert } }, 'clientCertificate.key', 'is missing'],
    [{ clientCertificate: canary }, 'clientCertificate', 'must be'],
  ] as const
  for (const [settings, at, message] of cases) {
    const { problems } = check(settings)
    expect(problems).toEqual([
      {
        path: `accounts[0].${at}`,
        message: expect.stringContaining(message),
        fix: expect.stringMatching(/./),
      },
    ])
    expect(JSON.stringify(problems)).not.toMatch(/canary|MI[A-Z]/)
  }
})

test('a certificate that has expired is a warning: other accounts are not to suffer', async () => {
  const { settings, problems, accountPaths } = check({
    ca: authority.ca,
    clientCertificate: pair,
  })
  const inAYear = Date.now() + 365 * 24 * 60 * 60 * 1_000

  expect(problems).toEqual([])
  expect(expiredCertificates({ settings, accountPaths }, Date.now())).toEqual([])
  expect(expiredCertificates({ settings, accountPaths }, inAYear)).toEqual([
    expect.stringMatching(
      /^accounts\[0\]\.clientCertificate\.cert: the certificate of "client" has expired on /,
    ),
    expect.stringMatching(
      /^accounts\[0\]\.ca: the certificate of "test authority" has expired on /,
    ),
  ])
})
