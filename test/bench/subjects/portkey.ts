/** The peer: another gateway on Node, pinned, installed beside the bench the first time. */

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../children.ts'
import type { PrepareSubject } from './subject.ts'

const home = fileURLToPath(new URL('../portkey/', import.meta.url))

export const preparePortkey: PrepareSubject = async (upstreamPort) => {
  if (!installed() && !install()) return 'could not be installed (`npm ci` failed)'
  const port = await freePort()
  return {
    port,
    command: [process.execPath, join(home, 'launch.ts'), '--headless', `--port=${port}`],
    env: { NODE_ENV: 'production' },
    headers: {
      'x-portkey-provider': 'openai',
      'x-portkey-custom-host': `http://127.0.0.1:${upstreamPort}/v1`,
    },
  }
}

function installed(): boolean {
  return existsSync(join(home, 'node_modules/@portkey-ai/gateway'))
}

function install(): boolean {
  process.stderr.write('installing the pinned Portkey gateway\n')
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund']
  const { status } = spawnSync('npm', ['ci', '--prefix', home, ...flags], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return status === 0
}
