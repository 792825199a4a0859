import { checkShape } from '../configuration/shape.ts'
import { ConfigurationError, type Problem } from '../contract/problems.ts'
import { portSchema } from '../configuration/endpoints.ts'
import { type Sandbox, startSandbox } from '../sandbox/index.ts'
import type { Invocation } from './command.ts'
import { explainListenError } from './addresses.ts'
import { shutdownSignal } from './signals.ts'

const defaultPort = 8790

/** `dragoman sandbox`: runs the offline upstream in the foreground. */
export async function run({ options, terminal }: Invocation): Promise<number> {
  const stop = shutdownSignal()
  const host = options['host'] ?? '127.0.0.1'
  const port = parsePort(options['port'] ?? String(defaultPort))
  const sandbox = await startSandbox({ host, port }).catch((error) => {
    throw explainListenError(error, { host, port }, '--port')
  })
  terminal.say(describe(sandbox))
  await stop
  await sandbox.close()
  return 0
}

function parsePort(text: string): number {
  const problems: Problem[] = []
  const port = checkShape(portSchema, /^\d+$/.test(text) ? Number(text) : text, '--port', problems)
  if (port === undefined) throw new ConfigurationError(problems)
  return port
}

/** Accounts of clouds and of presets, as docs/providers.md has them. */
function cloudEntries(url: string, key: string): string[] {
  const entra = `{ tenantId: 't', clientId: 'c', clientSecret: '${key}', authority: '${url}' }`
  return [
    `    { id: 'azure', provider: 'azure', baseUrl: '${url}', apiKey: '${key}', models: ['sandbox/*'] },`,
    `    { id: 'entra', provider: 'azure', baseUrl: '${url}', entra: ${entra}, models: ['sandbox/*'] },`,
    `    { id: 'vertex', provider: 'vertex', baseUrl: '${url}', project: 'p', googleAuth: { file: '/tmp/service-account.json' }, models: ['gemini-*', 'claude-*', 'google/*'] },`,
    `    { id: 'bedrock', provider: 'bedrock', region: 'eu-central-1', baseUrl: '${url}', aws: { accessKeyId: 'AKIASANDBOXA', secretAccessKey: '${key}' }, models: ['sandbox/*'] },`,
    `    { id: 'openrouter', provider: 'openrouter', baseUrl: '${url}/openrouter/api/v1', apiKey: '${key}', models: { 'openrouter/*': 'sandbox/*' } },`,
    `    { id: 'mistral', provider: 'mistral', baseUrl: '${url}/mistral/v1', apiKey: '${key}', models: { 'mistral/*': 'sandbox/*' } },`,
    '',
    `Further servers stand below their names: curl ${url}/ lists their base URLs.`,
    `The file of the service account: curl -o /tmp/service-account.json ${url}/google/service-account/a.json`,
  ]
}

function describe({ url, accounts }: Sandbox): string {
  const entries = accounts.map(
    ({ id, key }) =>
      `    { id: '${id}', provider: 'sandbox', baseUrl: '${url}', apiKey: '${key}', models: ['sandbox/*'] },`,
  )
  return [
    `The sandbox listens on ${url}; its accounts:`,
    ...accounts.map(({ id, key }) => `  ${id}: ${key}`),
    '',
    'To use it with a gateway, write this dragoman.config.ts:',
    '',
    "import { defineConfig } from 'dragoman'",
    '',
    'export default defineConfig({',
    "  keys: [{ id: 'me', secret: 'my-gateway-key' }],",
    '  accounts: [',
    ...entries,
    '  ],',
    '})',
    '',
    'It stands in for clouds and other providers too, with these accounts:',
    '',
    ...cloudEntries(url, accounts[0]?.key ?? ''),
  ].join('\n')
}
