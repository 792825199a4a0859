import type { OperationInfo } from '../contract/dialect-info.ts'
import type { Ended } from '../contract/exchange.ts'

/** Whether a reply that is no JSON is a file: its bytes are no output of a model, and no stream of events. */
export function isDownload({ capability }: Pick<OperationInfo, 'capability'>): boolean {
  return capability === 'video-job'
}

/** Whether the reply of an exchange is a stream of a model's output. */
export function isStreamed({
  operation,
  progress,
}: Pick<Ended, 'operation' | 'progress'>): boolean {
  return progress.streamed && !(operation && isDownload(operation))
}
