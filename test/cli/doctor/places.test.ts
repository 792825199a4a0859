import { readdir, symlink } from 'node:fs/promises'

import { expect, test } from 'vitest'

import { openPlace } from '../dragoman.ts'
import { diagnose } from './findings.ts'

const ports = { listen: { port: 0 }, admin: { port: 0 } }

async function diagnoseWith(settings: object, path = '') {
  await using place = await openPlace()
  if (path !== '') await symlink('/dev/null/none', `${place.path}/${path}`)
  await place.write('dragoman.config.json', JSON.stringify({ ...ports, ...settings }))
  const before = await readdir(place.path)
  const findings = await diagnose(place)
  expect(await readdir(place.path)).toEqual(before)
  return findings
}

test('without files of logs and captures there is nothing to say about them', async () => {
  const findings = await diagnoseWith({})
  expect(findings.has('log files')).toBe(false)
  expect(findings.has('captures')).toBe(false)
})

test('files of logs and captures that can be written are in order, and nothing is left there', async () => {
  const findings = await diagnoseWith({
    log: { file: 'gateway.log' },
    capture: { directory: 'captures' },
  })
  expect(findings.get('log files')).toMatchObject({ status: 'OK' })
  expect(findings.get('captures')).toMatchObject({ status: 'OK' })
})

test('a log whose directory is missing is found before its lines are dropped', async () => {
  const findings = await diagnoseWith({ log: { file: 'missing/access.log' } })
  expect(findings.get('log files')).toMatchObject({
    status: 'FAIL',
    message: expect.stringContaining('lines are dropped') as string,
    fix: expect.stringContaining('log.file') as string,
  })
})

test('a log file that cannot be opened is found', async () => {
  const findings = await diagnoseWith({ log: { file: 'gateway.log' } }, 'gateway.log')
  expect(findings.get('log files')).toMatchObject({
    status: 'FAIL',
    message: expect.stringContaining('ENOTDIR') as string,
  })
})

test('captures that cannot be written are found before somebody starts one', async () => {
  const findings = await diagnoseWith({ capture: { directory: 'captures' } }, 'captures')
  expect(findings.get('captures')).toMatchObject({
    status: 'FAIL',
    fix: expect.stringContaining('capture.directory') as string,
  })
})
