import { Button } from '../../ui/Button.tsx'
import { CopyId } from '../../ui/CopyId.tsx'
import { Definition } from '../../ui/Definition.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Difference } from '../../ui/Difference.tsx'
import { Time } from '../../ui/Time.tsx'
import type { AuditEntry } from './entry.ts'

const seals = {
  INTACT: 'intact',
  CHANGED: 'it was changed after it was written',
  ABSENT: 'none: an earlier version has written it, or the seal was removed',
  UNKEYED:
    'intact; made without DRAGOMAN_SECRET_KEY, so who writes to the store could make one too',
  UNKNOWN_KEY: 'it was sealed with another key',
} as const

/** One act: the values before and after it, and the address it came from. */
export function ActDetail({
  entry,
  onClose,
}: {
  readonly entry: AuditEntry
  readonly onClose: () => void
}) {
  const { action, at, result, message, reason, actor, target, address, agent } = entry
  const { requestId, seal, before, after } = entry
  return (
    <Dialog isOpen isWide onClose={onClose} title={<span className="mono">{action}</span>}>
      <Definition
        items={[
          ['When', <Time key="at" at={at} />],
          ['On what', `${target.type} ${target.id}`],
          [
            'Who',
            actor
              ? `${actor.kind?.toLowerCase() ?? ''} ${actor.id}, ${actor.role?.toLowerCase() ?? 'unknown'}`
              : null,
          ],
          ['Why', reason ?? 'no reason given'],
          ['Result', message ? `${result.toLowerCase()}: ${message}` : result.toLowerCase()],
          ['From', address],
          [
            'With',
            <span key="agent" className="wrap-anywhere">
              {agent || 'unknown'}
            </span>,
          ],
          ['Seal', seals[seal]],
          !!requestId && ['Request', <CopyId key="request" id={requestId} />],
        ]}
      />
      {(before ?? after ?? null) !== null && <Difference before={before} after={after} />}
      <div className="dialog-acts">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  )
}
