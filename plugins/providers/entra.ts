import { readFile } from 'node:fs/promises'

import type { EntraSetting } from '../../src/contract/account.ts'
import {
  type AccountCredential,
  CredentialFailure,
  type CredentialReply,
  type CredentialServices,
} from '../../src/contract/credential.ts'
import { type Token, tokenCredential, tokenIn } from '../../src/kit/token-credential.ts'

/** What tokens are for: models of Azure OpenAI and of Foundry. */
const resource = 'https://cognitiveservices.azure.com'
const usualAuthority = 'https://login.microsoftonline.com'
const usualMetadataHost = 'http://169.254.169.254'
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** A credential that is a token of Microsoft Entra, which an application or the machine gets. */
export function entraCredential(
  entra: EntraSetting,
  environment: NodeJS.ProcessEnv = process.env,
): AccountCredential {
  return tokenCredential({
    fetch: (services) =>
      entra.managedIdentity
        ? ofMachine(entra, services, environment)
        : ofApplication(entra, services),
  })
}

async function ofApplication(
  { tenantId = '', clientId = '', authority = usualAuthority, ...proof }: EntraSetting,
  services: CredentialServices,
): Promise<Token> {
  const { clientSecret, federatedTokenFile } = proof
  const assertion =
    federatedTokenFile === undefined ? undefined : await readAssertion(federatedTokenFile)
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    scope: `${resource}/.default`,
    ...(assertion === undefined
      ? { client_secret: clientSecret ?? '' }
      : { client_assertion_type: assertionType, client_assertion: assertion }),
  })
  const base = authority.endsWith('/') ? authority.slice(0, -1) : authority
  const reply = await services.request({
    method: 'POST',
    url: `${base}/${encodeURIComponent(tenantId)}/oauth2/v2.0/token`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  })
  const fix =
    assertion === undefined
      ? 'check tenantId and clientId of entra, and whether the client secret has ended'
      : 'check tenantId and clientId of entra, and the federated credential of the application'
  return tokenIn(reply, `Microsoft Entra (${new URL(base).host})`, fix)
}

/** Kubernetes and others write it again before it ends. */
async function readAssertion(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (cause) {
    throw new CredentialFailure(
      'refused',
      'The file with the federated token cannot be read.',
      'check federatedTokenFile of entra, and whether this user can read it',
      { cause },
    )
  }
}

/** App Service and Container Apps name an endpoint of their own; virtual machines have one address. */
async function ofMachine(
  { clientId }: EntraSetting,
  services: CredentialServices,
  { IDENTITY_ENDPOINT, IDENTITY_HEADER, AZURE_POD_IDENTITY_AUTHORITY_HOST }: NodeJS.ProcessEnv,
): Promise<Token> {
  const client = clientId === undefined ? {} : { client_id: clientId }
  const isApp = IDENTITY_ENDPOINT !== undefined && IDENTITY_HEADER !== undefined
  const version = isApp ? '2019-08-01' : '2018-02-01'
  const query = new URLSearchParams({ 'api-version': version, resource, ...client })
  const host = AZURE_POD_IDENTITY_AUTHORITY_HOST ?? usualMetadataHost
  const reply = await services.request({
    method: 'GET',
    url: `${isApp ? IDENTITY_ENDPOINT : `${host}/metadata/identity/oauth2/token`}?${query}`,
    headers: isApp ? { 'x-identity-header': IDENTITY_HEADER } : { metadata: 'true' },
    isLocal: true,
  })
  const fix = 'give this machine an identity, and clientId of entra if it has several'
  return tokenIn(lastingReply(reply), 'The managed identity of this machine', fix)
}

/** App Service says when the token ends, and not how long it lasts. */
function lastingReply(reply: CredentialReply): CredentialReply {
  try {
    const json = JSON.parse(reply.body) as Readonly<Record<string, unknown>>
    const until = Number(json['expires_on'])
    if (json['expires_in'] !== undefined || !(until > 0)) return reply
    const lives = until - Date.now() / 1_000
    return { ...reply, body: JSON.stringify({ ...json, expires_in: lives }) }
  } catch {
    return reply
  }
}
