import assert from 'node:assert/strict'
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, test } from 'vitest'

import { runTool } from '../tools.ts'

// Part of `npm run test:deploy`: has systemd read the unit.

const unit = join(import.meta.dirname, '../../../deploy/systemd/dragoman.service')

/** Has systemd verify a text of the unit, beside programs under the names that it starts. */
async function verify(text: string) {
  const root = await mkdtemp(join(tmpdir(), 'dragoman-systemd-'))
  try {
    const file = join(root, 'etc/systemd/system/dragoman.service')
    await mkdir(dirname(file), { recursive: true })
    // Those of this machine: targets and sockets that units know.
    await cp('/lib/systemd/system', join(root, 'lib/systemd/system'), {
      recursive: true,
      verbatimSymlinks: true,
    })
    for (const program of ['opt/dragoman/bin/dragoman', 'bin/kill']) {
      await mkdir(dirname(join(root, program)), { recursive: true })
      await writeFile(join(root, program), '')
      await chmod(join(root, program), 0o755)
    }
    await writeFile(file, text)
    return await runTool('systemd-analyze', [
      'verify',
      `--root=${root}`,
      '--man=no',
      '--recursive-errors=no',
      'dragoman.service',
    ])
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

describe('the unit', () => {
  test('is valid', async () => {
    const { code, stdout, stderr } = await verify(await readFile(unit, 'utf8'))
    assert.deepEqual([code, stdout, stderr], [0, '', ''])
  })

  test('would not be valid with a misspelt setting or a program that is not there', async () => {
    const text = await readFile(unit, 'utf8')
    const misspelt = await verify(text.replace('ProtectHome=', 'ProtectHomes='))
    assert.match(misspelt.stderr, /ProtectHomes/)
    const missing = await verify(text.replace('/opt/dragoman/bin/dragoman', '/opt/other'))
    assert.match(missing.stderr, /\/opt\/other is not executable/)
  })

  test('leaves little that its process could reach', async () => {
    const words = ['security', '--offline=true', '--no-pager', '--threshold=20', unit]
    const { code, stdout, stderr } = await runTool('systemd-analyze', words)
    console.log(`# ${stdout.trim().split('\n').at(-1)}`)
    assert.equal(code, 0, stdout + stderr)
  })

  test('is killed only after the gateway has given up', async () => {
    const text = await readFile(unit, 'utf8')
    const [, stop] = /^TimeoutStopSec=(\d+)s$/m.exec(text) ?? []
    const [, grace] = /^Environment=TERMINATION_GRACE_PERIOD_SECONDS=(\d+)$/m.exec(text) ?? []
    assert.equal(stop, grace)
  })
})
