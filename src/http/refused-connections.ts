import { type LineWriter, isoNow } from '../lib/log.ts'
import { RecentMap } from '../lib/recent-map.ts'
import { visibleJson } from '../lib/visible.ts'
import { plain } from '../exchange/client.ts'

/** A connection that was answered without an exchange. Nothing in it is of the bytes that the client sent. */
export interface RefusedConnection {
  readonly requestId: string
  readonly status: number
  /** Node's code for the fault, such as `HPE_INVALID_METHOD`. */
  readonly code: string
  /** The address of the client, or of the proxy before it: no header could name another address. */
  readonly address: string
}

/** The least time between two lines about one address, in milliseconds. */
const everyMs = 1_000

/** Addresses that are remembered. */
const mostAddresses = 1_000

/** The lines of one second about all addresses. */
const mostLines = 20

/** Options of `noteRefusedConnections`. */
interface NoteOptions {
  /** The access log. */
  readonly lines: Pick<LineWriter, 'write'>
  /** The address that the connections are on. */
  readonly listener: 'api' | 'admin'
  /** Returns milliseconds of a monotonic clock. */
  readonly elapsed?: () => number
}

/**
 * Creates the function that writes a line of the access log for a connection whose bytes are no request: at most
 * one a second for each address, and 20 in all. `omitted` counts those without a line since the last one.
 */
export function noteRefusedConnections({
  lines,
  listener,
  elapsed = () => performance.now(),
}: NoteOptions): (refused: RefusedConnection) => void {
  const noted = new RecentMap<number>(mostAddresses)
  let second = { began: -Infinity, lines: 0 }
  let omitted = 0

  function mayWrite(address: string): boolean {
    const now = elapsed()
    if (now - second.began >= everyMs) second = { began: now, lines: 0 }
    const last = noted.get(address) ?? -Infinity
    if (second.lines >= mostLines || now - last < everyMs) return false
    second.lines++
    noted.set(address, now)
    return true
  }

  return ({ requestId, status, code, address }) => {
    const client = plain(address)
    if (!mayWrite(client)) {
      omitted++
      return
    }
    const line = {
      time: isoNow(),
      level: 'info',
      msg: 'refused connection',
      listener,
      request_id: requestId,
      status,
      error: code,
      client_ip: client,
      ...(omitted > 0 && { omitted }),
    }
    omitted = 0
    lines.write(visibleJson(JSON.stringify(line)))
  }
}
