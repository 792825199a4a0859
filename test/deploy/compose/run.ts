import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'vitest'

import { installComposeReader, runTool } from '../tools.ts'
import { copyProject } from './project.ts'

// Part of `npm run test:deploy`: reads the project as `docker compose config` does, with the reference
// implementation of the Compose Specification: its schema, merges, defaults and references.

interface Resolved {
  readonly services: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>
}

async function read(path: string, files: readonly string[]) {
  const reader = await installComposeReader()
  return runTool(reader, ['--format=json', ...files], { cwd: path })
}

async function resolved(path: string, files: readonly string[]): Promise<Resolved> {
  const { code, stdout, stderr } = await read(path, files)
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout) as Resolved
}

describe('the project', () => {
  test('is valid, with the same gateway twice', async () => {
    await using copy = await copyProject()
    const { services } = await resolved(copy.path, ['compose.yaml'])
    const [one, two] = ['gateway-1', 'gateway-2'].map((name): Record<string, unknown> => {
      const { networks: _, ...service } = services[name] ?? {}
      return service
    })
    assert.deepEqual(one, two)
    const files = one?.['env_file'] as { path: string; required: boolean }[] | undefined
    assert.deepEqual(files?.[0], { path: join(copy.path, 'secrets/gateway.env'), required: true })
    const environment = one?.['environment'] as Record<string, string>
    assert.equal(environment['DRAGOMAN_PUBLIC_URL'], 'http://127.0.0.1:8080')
    assert.equal(one?.['read_only'], true)
  })

  test('publishes the pages only with the second file', async () => {
    await using copy = await copyProject()
    const closed = await resolved(copy.path, ['compose.yaml'])
    const open = await resolved(copy.path, ['compose.yaml', 'compose.pages.yaml'])
    const published = ({ services }: Resolved) =>
      Object.keys(services).filter((name) => services[name]?.['ports'])
    assert.deepEqual(published(closed), ['nginx'])
    assert.deepEqual(published(open).toSorted(), ['grafana', 'jaeger', 'nginx', 'prometheus'])
    assert.deepEqual(
      [closed, open].map(({ networks }) => networks['telemetry']?.internal ?? false),
      [true, false],
    )
  })

  test('would not be valid with a misspelt member', async () => {
    await using copy = await copyProject()
    const file = join(copy.path, 'compose.yaml')
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.replace('stop_signal:', 'stop_signals:'))
    const { code, stderr } = await read(copy.path, ['compose.yaml'])
    assert.notEqual(code, 0)
    assert.match(stderr, /stop_signals/)
  })
})
