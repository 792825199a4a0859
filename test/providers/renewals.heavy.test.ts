import { generateKeyPairSync } from 'node:crypto'
import { expect, onTestFinished, test, vi } from 'vitest'

import type { AccountConfig } from '../../src/configuration/config.generated.ts'
import {
  type AccountRequest,
  answerJson,
  startFakeAccount,
} from '../../src/testing/fake-account.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'
import { dialects } from '../requests/dialects.ts'

/** How long tokens live, and how long after that the account still takes one that is under way, in milliseconds. */
const lifeMs = 500
const graceMs = 1_000

/** A cloud: what its token endpoint answers, where its requests have the token, and what its models answer. */
interface Cloud {
  granted(token: string): object
  tokenOf(request: AccountRequest): string
  readonly reply: object
  account(issuerUrl: string): Partial<AccountConfig>
}

const oauth = (token: string) => ({
  access_token: token,
  expires_in: lifeMs / 1_000,
  token_type: 'Bearer',
})
const bearerOf = ({ headers }: AccountRequest) =>
  String(headers.authorization).replace('Bearer ', '')

const clouds: Readonly<Record<string, Cloud>> = {
  azure: {
    granted: oauth,
    tokenOf: bearerOf,
    reply: dialects.chat.reply,
    account: (authority) => ({
      provider: 'azure',
      entra: { tenantId: 't', clientId: 'c', clientSecret: 's', authority },
    }),
  },
  vertex: {
    granted: oauth,
    tokenOf: bearerOf,
    reply: dialects.generate.reply,
    account(issuerUrl) {
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
      const json = JSON.stringify({
        type: 'service_account',
        private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
        client_email: 'a@b.c',
        token_uri: `${issuerUrl}/token`,
      })
      return { provider: 'vertex', project: 'p', googleAuth: { json } }
    },
  },
  bedrock: {
    granted: (token) => ({
      AccessKeyId: 'AKIA1',
      SecretAccessKey: 'secret-access-key',
      Token: token,
      Expiration: new Date(Date.now() + lifeMs).toISOString(),
    }),
    tokenOf: ({ headers }) => String(headers['x-amz-security-token']),
    reply: {
      output: { message: { role: 'assistant', content: [{ text: 'Hi' }] } },
      stopReason: 'end_turn',
      usage: { inputTokens: 1, outputTokens: 1 },
    },
    account(issuerUrl) {
      vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true')
      vi.stubEnv('AWS_CONFIG_FILE', '/nonexistent')
      vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', '/nonexistent')
      vi.stubEnv('AWS_CONTAINER_CREDENTIALS_FULL_URI', `${issuerUrl}/keys`)
      onTestFinished(() => void vi.unstubAllEnvs())
      return { provider: 'bedrock', region: 'eu-central-1' }
    },
  },
}

test.each(Object.keys(clouds))(
  'no call of four clients fails while tokens of %s end and are renewed ten times',
  { timeout: 60_000 },
  async (name) => {
    const { granted, tokenOf, reply, account } = clouds[name]!
    const issuedAt = new Map<string, number>()
    await using issuer = await startFakeAccount((response, request) => {
      const token = `token-number-${issuedAt.size}-of-the-test`
      issuedAt.set(token, performance.now())
      return answerJson(granted(token))(response, request)
    })
    await using upstream = await startFakeAccount((response, request) => {
      const age = performance.now() - (issuedAt.get(tokenOf(request)) ?? -Infinity)
      const isValid = age < lifeMs + graceMs
      const body = isValid ? reply : { error: { message: 'no valid token' } }
      return answerJson(body, { status: isValid ? 200 : 401 })(response, request)
    })
    await using gateway = await createTestGateway({
      accounts: [
        { id: 'a', baseUrl: upstream.url, models: ['m'], ...account(issuer.url) },
      ] as AccountConfig[],
    })
    const { path, credential, request } = dialects.chat
    const statuses = new Map<number, number>()
    const client = async () => {
      while (issuedAt.size <= 10) {
        const answer = await fetch(gateway.url + path, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...credential(gateway.key) },
          body: JSON.stringify({ ...request, model: 'm' }),
        })
        await answer.arrayBuffer()
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      }
    }
    await Promise.all(Array.from({ length: 4 }, client))
    expect([...statuses.keys()]).toEqual([200])
    expect(JSON.stringify([gateway.log, gateway.accessLog])).not.toContain('token-number')
  },
)
