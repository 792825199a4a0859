import { readFileSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { commands } from '../../src/cli/commands.ts'
import { parseCommandLine } from '../../src/cli/parse.ts'
import { readContext, readDockerfile, repository, wordsOf } from './image/dockerfile.ts'

// `npm run test:deploy` does the steps of the Dockerfile. Here is what can be read in it.

interface Manifest {
  readonly version: string
  readonly files: readonly string[]
  readonly devDependencies: Readonly<Record<string, string>>
}

/** What people read in the package, and what is made when it is packed. The image has no shell. */
const readers = new Set(['docs', 'examples', 'sbom.spdx.json'])

const manifest: Manifest = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'))
const stages = readDockerfile()
const [build, final] = stages

const restOf = (keyword: string) =>
  final?.instructions.filter((one) => one.keyword === keyword).map(({ rest }) => rest) ?? []

describe('the Dockerfile', () => {
  test('builds with the Node of the tests, and runs with nothing else', () => {
    expect(stages.map(({ base }) => base)).toEqual([
      `node:${manifest.devDependencies['node']}-trixie-slim`,
      'scratch',
    ])
  })

  test('copies what the build may see, and all that the package publishes for running', async () => {
    const copied = build?.instructions
      .filter(({ keyword }) => keyword === 'COPY')
      .flatMap(({ rest }) => rest.split(' ').slice(0, -1))
    expect(copied?.toSorted()).toEqual(readContext().toSorted())
    for (const path of readContext()) await access(join(repository, path))
    const into = build?.instructions.find(({ rest }) => rest.includes('/image/app'))?.rest ?? ''
    const run = manifest.files.filter((path) => !readers.has(path))
    for (const path of run) expect(into).toContain(` ${path}`)
  })

  test('runs as a user without rights, whose process gets the signals', () => {
    expect(restOf('USER')).toEqual(['65532:65532'])
    expect(restOf('STOPSIGNAL')).toEqual(['SIGTERM'])
    expect(restOf('ENTRYPOINT')).toEqual(['["dragoman"]'])
    expect(restOf('ARG')[0]).toBe(`VERSION=${manifest.version}`)
  })

  test('has a health check that is a command of the gateway', () => {
    const [check = ''] = restOf('HEALTHCHECK')
    const [program, ...words] = wordsOf(check.replace('CMD ', ''))
    const { command, options } = parseCommandLine(words, commands)
    expect([program, command?.name]).toEqual(['dragoman', 'healthcheck'])
    expect(options['url']).toBe('http://127.0.0.1:8787')
  })
})
