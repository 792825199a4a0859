import type { GoogleAuthSetting } from '../../src/contract/account.ts'
import {
  type AccountCredential,
  CredentialFailure,
  type CredentialServices,
  credentialFailureIn,
} from '../../src/contract/credential.ts'
import { type Token, tokenCredential } from '../../src/kit/token-credential.ts'
import { within } from '../../src/lib/deadline.ts'
import { isAwayError } from './away.ts'

const scope = 'https://www.googleapis.com/auth/cloud-platform'
/** Where the library asks for tokens whatever the file of credentials says. */
const libraryTokenUrl = 'https://oauth2.googleapis.com/token'

/** A credential that is a token of Google Cloud. Without a setting, the library finds the credentials of the machine. */
export function googleCredential(
  setting: GoogleAuthSetting,
  environment: NodeJS.ProcessEnv = process.env,
): AccountCredential {
  const { GOOGLE_APPLICATION_CREDENTIALS: file } = environment
  const isOfMachine = setting.file === undefined && setting.json === undefined
  const used = isOfMachine && file ? { file, named: 'GOOGLE_APPLICATION_CREDENTIALS' } : setting
  let hasWorked = false
  return tokenCredential({
    async fetch(services) {
      const steps: Step[] = []
      try {
        const token = await within(longestMs, fetchToken(used, services, steps), late)
        hasWorked = true
        return token
      } catch (error) {
        throw failureOf(error, steps.at(-1) ?? metadataServer, hasWorked)
      }
    },
  })
}

/** A request on the way to a token. */
interface Step {
  /** Who answers it, in words for operators. */
  readonly by: string
  /** What an operator does about a refusal. */
  readonly fix: string
}

/** The longest search, in milliseconds: at Google the library waits for the metadata server without an end. */
const longestMs = 10_000

function late(): CredentialFailure {
  const message = 'The credentials of Google Cloud give no token within ten seconds.'
  return new CredentialFailure('away', message, waiting)
}

const waiting = 'wait: the gateway tries it again by itself'

/** Credentials, and the setting that names their file. */
type Source = GoogleAuthSetting & { readonly named?: string }

/** A new client each time, about once an hour, reads a file that was replaced meanwhile. */
async function fetchToken(
  source: Source,
  services: CredentialServices,
  steps: Step[],
): Promise<Token> {
  // The library is loaded where an account of this kind is asked.
  const { GoogleAuth, gcpMetadata } = await import('google-auth-library')
  // It would remember for ever that the metadata server was away.
  gcpMetadata.resetIsAvailableCache()
  const credentials = await credentialsOf(source)
  const auth = new GoogleAuth({
    scopes: scope,
    // Nothing needs the project of the machine, for which the library starts `gcloud`.
    projectId: 'unused',
    ...(credentials && { credentials }),
    clientOptions: {
      transporterOptions: {
        fetchImplementation: fetchOver(services, tokenUrlOf(credentials), steps),
        timeout: longestMs,
      },
    },
  })
  const client = await auth.getClient()
  shareTransport(client)
  const headers = await client.getRequestHeaders()
  const text = headers.get('authorization')?.replace(/^Bearer /, '')
  const until = client.credentials.expiry_date
  if (!text) throw new Error('The library gives no token.')
  const project = headers.get('x-goog-user-project')
  return {
    text,
    livesMs: until ? until - Date.now() : usualLifeMs,
    ...(project && { headers: { 'x-goog-user-project': project } }),
  }
}

/** The library exchanges federated tokens over connections of its own, beside the proxy of the account. */
function shareTransport(client: object): void {
  const { stsCredential, transporter } = client as {
    stsCredential?: { transporter: unknown }
    transporter: unknown
  }
  if (stsCredential) stsCredential.transporter = transporter
}

/** Google's tokens last an hour. */
const usualLifeMs = 60 * 60_000

type Credentials = Readonly<Record<string, unknown>>

async function credentialsOf({
  file,
  json,
  named = 'googleAuth',
}: Source): Promise<Credentials | undefined> {
  if (json !== undefined) return JSON.parse(json) as Credentials
  if (file === undefined) return undefined
  const { readFile } = await import('node:fs/promises')
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Credentials
  } catch (cause) {
    throw new CredentialFailure(
      'refused',
      `The file of ${named} cannot be read, or is no JSON.`,
      `check the file of ${named}, and whether this user can read it`,
      { cause },
    )
  }
}

function tokenUrlOf(credentials: Credentials | undefined): string {
  const url = credentials?.['token_uri']
  return typeof url === 'string' && /^https?:/.test(url) ? url : libraryTokenUrl
}

/** The metadata hosts of AWS and Azure, whose machines may have an identity at Google Cloud too. */
const metadataHosts: ReadonlySet<string> = new Set(['169.254.169.254', '[fd00:ec2::254]'])

/** The requests of the library, over connections such as the account's. */
function fetchOver(services: CredentialServices, tokenUrl: string, steps: Step[]): typeof fetch {
  return async (input, init = {}) => {
    const asked = input instanceof Request ? input.url : String(input)
    const url = asked === libraryTokenUrl ? tokenUrl : asked
    const headers = Object.fromEntries(new Headers(init.headers))
    const { method = 'GET', body: given } = init
    const body = Buffer.isBuffer(given) ? given : given && String(given as string | URLSearchParams)
    steps.push(stepOf(new URL(url), String(body ?? '')))
    const reply = await services.request({
      method: method.toUpperCase() as 'GET' | 'POST' | 'PUT',
      url,
      headers,
      isLocal: metadataHosts.has(new URL(url).hostname),
      ...(body && { body }),
    })
    const hasBody = reply.status !== 204 && reply.body !== ''
    return new Response(hasBody ? reply.body : null, {
      status: reply.status,
      headers: reply.headers,
    })
  }
}

function stepOf({ host, pathname }: URL, body: string): Step {
  if (pathname.endsWith(':generateAccessToken'))
    return {
      by: `The impersonation of a service account (${host})`,
      fix: 'give the identity the role Service Account Token Creator at the service account',
    }
  if (body.includes('token-exchange'))
    return {
      by: `The exchange of a federated token (${host})`,
      fix: 'check the audience of the file, and the provider of the pool of workload identities',
    }
  if (body.includes('refresh_token'))
    return {
      by: `Google (${host})`,
      fix: 'sign in again: `gcloud auth application-default login`',
    }
  if (body === '')
    return {
      by: `The source of the federated token (${host})`,
      fix: 'check credential_source in the file of credentials',
    }
  return {
    by: `Google Cloud (${host})`,
    fix: 'check whether the service account and its key exist, and the clock of this machine',
  }
}

/** The metadata server is asked by the library itself. */
const metadataServer: Step = {
  by: 'The metadata server of Google Cloud',
  fix: 'give the machine a service account with the scope cloud-platform',
}

/**
 * Errors of the library may name anything: their texts are repeated nowhere. `hasWorked`: the same credentials have had
 * a token before, so that they are there.
 */
function failureOf(error: unknown, { by, fix }: Step, hasWorked: boolean): CredentialFailure {
  for (let one = error, levels = 0; one !== undefined && levels < 4; levels++) {
    const known = credentialFailureIn(one)
    if (known) return known
    one = (Object(one) as { cause?: unknown }).cause
  }
  const cause = { cause: error }
  const status = statusOf(error)
  if (status !== undefined && status < 500 && status !== 429 && status !== 408) {
    const message = `${by} refuses a token with the status ${status}.`
    return new CredentialFailure('refused', message, fix, cause)
  }
  if (/^E(?:NOENT|ACCES|ISDIR)$/.test(String((error as NodeJS.ErrnoException).code))) {
    const remedy =
      'check credential_source in the file of credentials, and whether this user can read it'
    const message = 'The file with the federated token cannot be read.'
    return new CredentialFailure('refused', message, remedy, cause)
  }
  if (status !== undefined || hasWorked || isAwayError(error)) {
    const why = status === undefined ? '' : ` It answers with the status ${status}.`
    return new CredentialFailure('away', `${by} gives no token.${why}`, waiting, cause)
  }
  return new CredentialFailure(
    'refused',
    'No credentials of Google Cloud are found, or they cannot be used.',
    'set googleAuth, run `gcloud auth application-default login`, or give the machine a service account',
    cause,
  )
}

function statusOf(error: unknown): number | undefined {
  const { status, response } = Object(error) as {
    status?: unknown
    response?: { status?: unknown }
  }
  const found = response?.status ?? status
  return typeof found === 'number' ? found : undefined
}
