import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const mark = `TEST_RUN=${process.pid}`

/**
 * Marks the processes that tests start, and gives tests and processes a directory for temporary files. At the end of a run it
 * removes the directory, ends the processes that are left, and fails the run if there are any.
 */
export default function noLeftovers(): () => void {
  const [name = '', value = ''] = mark.split('=')
  process.env[name] = value
  const directory = mkdtempSync(join(tmpdir(), 'dragoman-'))
  process.env['TMPDIR'] = directory
  return () => {
    const left = processes().filter(
      ({ pid, parent }) => pid !== process.pid && parent !== process.pid,
    )
    for (const { pid } of left) process.kill(pid, 'SIGKILL')
    // A process that was killed may still write.
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
    if (left.length === 0) return
    const commands = left.map(({ pid, command }) => `${pid}: ${command}`)
    throw new Error(`Tests have left processes running:\n${commands.join('\n')}`)
  }
}

/** The processes with the mark, where the system has files about processes. */
function processes() {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger)
  return pids.flatMap((pid) => {
    try {
      const file = (of: string) => readFileSync(`/proc/${pid}/${of}`, 'utf8')
      if (!file('environ').split('\0').includes(mark)) return []
      const parent = Number(/^PPid:\s*(\d+)/m.exec(file('status'))?.[1])
      return [{ pid, parent, command: file('cmdline').replaceAll('\0', ' ') }]
    } catch {
      // It has ended meanwhile, or belongs to another user.
      return []
    }
  })
}
