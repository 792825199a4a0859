import { within } from '../../lib/deadline.ts'

/** The result of one check. */
export interface Finding {
  /** `store`, `account openai-1`. */
  readonly check: string
  /** `WARN`: the gateway serves, but not as it may be meant to. `FAIL`: some of it does not work. */
  readonly status: 'OK' | 'WARN' | 'FAIL'
  /** Without a secret. */
  readonly message: string
  /** The remedy. Absent: no remedy is needed. */
  readonly fix?: string
}

/** A finding of something in order. */
export function ok(check: string, message: string): Finding {
  return { check, status: 'OK', message }
}

/** A finding of something that may be wrong. */
export function warn(check: string, message: string, fix: string): Finding {
  return { check, status: 'WARN', message, fix }
}

/** A finding of something that does not work. */
export function fail(check: string, message: string, fix: string): Finding {
  return { check, status: 'FAIL', message, fix }
}

/** The name of a check, and how long it may take in milliseconds. */
interface CheckOptions {
  readonly name: string
  readonly longestMs: number
}

/**
 * Runs a check. One that does not end in time, or fails unexpectedly, is a finding; the error's own message
 * may contain anything, and is not shown. Never rejects.
 */
export async function runCheck(
  { name, longestMs }: CheckOptions,
  work: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  const late = new Error('late')
  try {
    return await within(longestMs, work(), () => late)
  } catch (error) {
    if (error === late) {
      const fix = 'find out what it waits for: a host, a disk or a name server that does not answer'
      return [fail(name, `The check does not end within ${longestMs / 1_000} s.`, fix)]
    }
    return [
      fail(name, `The check fails (${codeOf(error)}).`, 'run it again; report it if it stays so'),
    ]
  }
}

function codeOf(error: unknown): string {
  const { code, name } = Object(error) as Readonly<Record<string, unknown>>
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'error'
}
