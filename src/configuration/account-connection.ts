import { X509Certificate, createPrivateKey } from 'node:crypto'

import { z } from 'zod'

import type { AccountSetting, ClientCertificate } from '../contract/account.ts'
import type { Problem } from '../contract/problems.ts'
import { faultOfProxy } from '../upstream/environment-proxies.ts'
import { certificatesIn } from './certificates.ts'
import { expects, optional, required, secret } from './schema-nodes.ts'
import { type EnvironmentVariables, findSecret, placeOfSecret } from './secrets.ts'

/** The schema of `accounts[].proxy`. */
export const proxySchema = z.union([z.literal(false), z.string().min(1)]).meta({
  ...expects('the URL of a proxy, env:NAME, file:/path or false', 'http://proxy.example.com:3128'),
  hidden: true,
  url: true,
})

const pem = (expected: string) =>
  z
    .string()
    .min(1)
    .meta({
      ...expects(`${expected} in PEM, env:NAME or file:/path`, 'file:/run/tls/ca.pem'),
      secret: true,
    })

/** The schema of `accounts[].ca`. */
export const caSchema = pem('certificates')

/** The schema of `accounts[].clientCertificate`. */
export const clientCertificateSchema = z.strictObject({
  cert: required(
    pem('a certificate'),
    'The certificate, with those between it and its authority, in PEM. `env:NAME` and `file:/path` read it from there.',
  ),
  key: required(pem('a private key'), 'Its private key in PEM, `env:NAME` or `file:/path`.'),
  passphrase: optional(
    secret,
    'The passphrase of an encrypted key; `env:NAME`, `file:/path`.',
    'the key is not encrypted',
  ),
})

/** The largest file of certificates, in bytes. */
const mostBytes = 1024 * 1024

/** Where the settings of a connection are found, and their problems. */
export interface ReferenceContext {
  /** The path of the account in the configuration. */
  readonly path: string
  readonly environment: EnvironmentVariables
  readonly problems: Problem[]
}

/** The URL of a proxy with its credentials. Adds problems, none of which repeats them. */
export function resolveProxy(
  setting: string | false,
  { path, environment, problems }: ReferenceContext,
): string | false | undefined {
  if (setting === false) return false
  const found = find(setting, 'proxy', { path, environment, problems })
  if (found === undefined) return undefined
  const fault = faultOfProxy(found)
  if (fault) {
    const fix = 'write http://HOST:PORT, or https:// for a proxy with TLS'
    problems.push({ path: `${path}.proxy`, message: fault, fix })
    return undefined
  }
  const { username, password } = new URL(found)
  if (placeOfSecret(setting) === 'literal' && (username || password)) {
    const fix = 'set a variable to the whole URL and write proxy: "env:NAME"'
    problems.push({ path: `${path}.proxy`, message: 'has credentials in its text', fix })
    return undefined
  }
  return found
}

/** The password of a proxy, as it may stand in a text. */
export function passwordOf(proxy: string | false | undefined): string[] {
  const password = proxy ? new URL(proxy).password : ''
  return password === '' ? [] : [decodeURIComponent(password)]
}

/** Certificate authorities in PEM. Adds problems. */
export function resolveAuthorities(setting: string, context: ReferenceContext): string | undefined {
  const found = find(setting, 'ca', context)
  if (found === undefined) return undefined
  const read = certificatesIn(found)
  if ('certificates' in read) return found
  context.problems.push({ path: `${context.path}.ca`, ...read })
  return undefined
}

/** A certificate and its key. Adds problems: a text that is not PEM, and a key of another certificate. */
export function resolveCertificate(
  setting: {
    readonly cert: string
    readonly key: string
    readonly passphrase?: string | undefined
  },
  context: ReferenceContext,
): AccountSetting['clientCertificate'] {
  const at = 'clientCertificate'
  const cert = find(setting.cert, `${at}.cert`, context)
  const key = find(setting.key, `${at}.key`, context)
  const passphrase =
    setting.passphrase === undefined ? '' : find(setting.passphrase, `${at}.passphrase`, context)
  if (cert === undefined || key === undefined || passphrase === undefined) return undefined
  const found = { cert, key, ...(passphrase !== '' && { passphrase }) }
  const fault = faultOf(found)
  if (!fault) return found
  context.problems.push({ ...fault, path: `${context.path}.${at}.${fault.path}` })
  return undefined
}

function faultOf({ cert, key, passphrase }: ClientCertificate): Problem | undefined {
  const read = certificatesIn(cert)
  if (!('certificates' in read)) return { path: 'cert', ...read }
  // OpenSSL could ask for it at the terminal.
  if (passphrase === undefined && encrypted.test(key)) {
    return { path: 'key', message: 'is encrypted', fix: 'set clientCertificate.passphrase' }
  }
  try {
    const privateKey = createPrivateKey({ key, ...(passphrase !== undefined && { passphrase }) })
    const [first] = read.certificates as [X509Certificate]
    if (first.checkPrivateKey(privateKey)) return undefined
  } catch {
    return { path: 'key', ...faultOfKey(passphrase !== undefined) }
  }
  return {
    path: 'key',
    message: 'does not belong to the certificate',
    fix: 'name the key with which the certificate was made; the certificate itself comes first in its file',
  }
}

const encrypted = /-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED$/m

function faultOfKey(hasPassphrase: boolean): Omit<Problem, 'path'> {
  const message = 'is not a private key in PEM'
  return hasPassphrase
    ? { message: `${message}, or its passphrase is another`, fix: 'check both' }
    : { message, fix: 'name a file that begins with -----BEGIN PRIVATE KEY-----' }
}

function find(
  setting: string,
  name: string,
  { path, environment, problems }: ReferenceContext,
): string | undefined {
  const found = findSecret(setting, environment, mostBytes)
  if (!('message' in found)) return found.secret
  problems.push({ path: `${path}.${name}`, ...found })
  return undefined
}
