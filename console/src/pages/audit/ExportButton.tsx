import { useState } from 'react'

import { type ApiError, toApiError } from '../../api/errors.ts'
import { noteError } from '../../api/query.ts'
import { failureOf, send } from '../../api/request.ts'
import { Button } from '../../ui/Button.tsx'
import { saveFile } from '../../ui/save.ts'

/** Downloads all acts of a time as lines of JSON. The other filters of the page do not count. */
export function ExportButton({
  from,
  to,
  onError,
  onDone,
}: {
  readonly from: string | undefined
  readonly to: string | undefined
  /** Undefined: a download begins, and a former error goes. */
  readonly onError: (error: ApiError | undefined) => void
  readonly onDone: () => void
}) {
  const [isBusy, setIsBusy] = useState(false)
  async function download() {
    setIsBusy(true)
    onError(undefined)
    try {
      const query = new URLSearchParams({ ...(from && { from }), ...(to && { to }) })
      const response = await send(`audit.ndjson?${query}`, { method: 'GET', accept: '*/*' })
      if (!response.ok) throw await failureOf(response)
      // A connection that breaks off rejects: a part is never saved for the whole.
      saveFile('audit.ndjson', await response.blob())
      onDone()
    } catch (error) {
      noteError(error)
      onError(toApiError(error))
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <Button
      disabled={isBusy}
      aria-description="All acts of the time between From and To, as lines of JSON. It is an act in the log."
      onClick={() => void download()}
    >
      {isBusy ? 'Downloading …' : 'NDJSON'}
    </Button>
  )
}
