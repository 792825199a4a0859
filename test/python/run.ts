import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

import { startSandbox } from '../../src/sandbox/index.ts'
import { answerJson, startFakeAccount } from '../../src/testing/fake-account.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'

// `npm run test:python`: openai-python calls each endpoint of a gateway before the sandbox. The package is installed from
// PyPI, the first time, below `node_modules`.

const folder = import.meta.dirname
const place = join(folder, '../../node_modules/.cache/python-sdk')
const python = join(place, 'bin/python')

async function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env) {
  const child = spawn(command, args, { stdio: 'inherit', env })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}

async function install(): Promise<void> {
  const requirements = join(folder, 'requirements.txt')
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements]
  for (const [command, args] of [
    ['python3', ['-m', 'venv', place]],
    [python, pip],
  ] as const)
    if ((await run(command, args)) !== 0) throw new Error('openai-python could not be installed.')
}

await install()
await using sandbox = await startSandbox()
await using other = await startFakeAccount(answerJson({ passed: true }))
await using gateway = await createTestGateway({
  accounts: [
    {
      id: 'sandbox',
      provider: 'sandbox',
      baseUrl: sandbox.url,
      apiKey: 'sandbox-key-a',
      models: ['sandbox/*', 'gpt-*', 'tts-1', 'whisper-1'],
    },
    {
      id: 'other',
      provider: 'openai',
      baseUrl: `${other.url}/v1`,
      // Files of no model would go to it, too.
      speaks: ['chat'],
      models: ['other'],
    },
  ],
  passthrough: [{ path: '/v1/vector_stores', account: 'other' }],
})
const env = { ...process.env, GATEWAY_URL: gateway.url, GATEWAY_KEY: gateway.key }
process.exitCode = await run(python, ['-W', 'ignore', join(folder, 'endpoints.py')], env)
