import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'

import { namesUploads, spoolProblems, uploadsProblems } from '../checks/directories.ts'
import type { CommandConfiguration } from '../command-configuration.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

const mebibyte = 1024 * 1024

/** Free space below which writes fail soon, and below which they may. */
const leastBytes = 64 * mebibyte
const fewBytes = 1024 * mebibyte

/** File systems of a network, whose locks SQLite cannot rely on: NFS, SMB, CIFS, SMB2. */
const networkTypes = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42])

/** The findings about the disk under a directory of the store, which may be missing. Empty: all is well. */
export async function checkSpace(name: string, directory: string): Promise<Finding[]> {
  const { free, type } = await spaceOf(directory)
  const findings: Finding[] = []
  if (networkTypes.has(type)) {
    const fix = 'put a file: store on a local disk; replicas share a Redis'
    findings.push(warn(name, `${directory} is on a network file system.`, fix))
  }
  if (free >= fewBytes) return findings
  const message = `${Math.floor(free / mebibyte)} MiB are free at ${directory}.`
  const fix = 'free some space, or move it to another disk'
  findings.push(free < leastBytes ? fail(name, message, fix) : warn(name, message, fix))
  return findings
}

/** Whether forms and uploads can be stored. The checks remove the files that they write. */
export async function checkDirectories(configuration: CommandConfiguration): Promise<Finding[]> {
  return [await checkSpool(configuration), ...(await checkUploads(configuration))]
}

async function checkSpool(configuration: CommandConfiguration): Promise<Finding> {
  const name = 'spool'
  const { spool, limits } = configuration.settings
  const [problem] = await spoolProblems(configuration)
  if (problem) return fail(name, `${problem.message}: large forms are answered 503.`, problem.fix)
  const { free } = await spaceOf(spool)
  if (free >= limits.spoolBytes) return ok(name, `${spool} is writable.`)
  const message = `${spool} has ${Math.floor(free / mebibyte)} MiB, less than limits.spoolBytes.`
  return warn(name, message, 'free some space, lower limits.spoolBytes, or name another directory')
}

async function checkUploads(configuration: CommandConfiguration): Promise<Finding[]> {
  const name = 'uploads'
  if (configuration.settings.uploads.directory === undefined) return []
  const [problem] = await uploadsProblems(configuration)
  if (!problem) return [ok(name, 'The upload directory is writable.')]
  const say = namesUploads(configuration) ? fail : warn
  return [say(name, `${problem.message}: uploads are answered 503.`, problem.fix)]
}

/** The free bytes and the file system of a directory, or of the nearest one above it that exists. */
export async function spaceOf(directory: string): Promise<{ free: number; type: number }> {
  try {
    const { bavail, bsize, type } = await statfs(directory)
    return { free: bavail * bsize, type }
  } catch (error) {
    const above = dirname(directory)
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || above === directory) throw error
    return spaceOf(above)
  }
}
