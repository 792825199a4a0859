import { spawn } from 'node:child_process'
import { join } from 'node:path'

import type { Settings } from '../configuration/settings.ts'
import type { Invocation } from './command.ts'

/**
 * `npm start` in a checkout: builds the console if its sources have changed. The gateway neither waits for it nor
 * depends on it. The package brings a build.
 */
export function buildConsoleBeside(
  { admin, adminAccess }: Pick<Settings, 'admin' | 'adminAccess'>,
  { terminal: { env, say } }: Invocation,
): void {
  const isCheckout = import.meta.filename.endsWith('.ts')
  if (!isCheckout || env['npm_lifecycle_event'] !== 'start') return
  if (!admin || adminAccess?.console === false) return
  const script = join(import.meta.dirname, '../../scripts/console/build.ts')
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'ignore', 'pipe'] })
  // The rest is for `npm run build`.
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    for (const [line] of text.matchAll(/^The console .*/gm)) say(line)
  })
  child.on('error', ({ message }) => say(`The console could not be built: ${message}`))
  child.unref()
}
