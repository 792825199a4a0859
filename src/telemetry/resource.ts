import { hostname } from 'node:os'

import type { Attributes } from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'

/** The name of the service unless the environment has another. */
const product = 'dragoman'

/**
 * What names this process in all that it exports, so that a trace leads to the metrics and the logs of its
 * gateway. Absent version: none.
 */
export function ownAttributes(version: string | undefined): Attributes {
  return {
    'service.name': product,
    ...(version !== undefined && { 'service.version': version }),
    'service.instance.id': `${hostname()}-${process.pid}`,
  }
}

/**
 * The resource of what this process pushes by OTLP. `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` prevail.
 * Loads the package only when it is called.
 */
export async function createResource(version: string): Promise<Resource> {
  const { detectResources, envDetector, resourceFromAttributes } =
    await import('@opentelemetry/resources')
  const own = resourceFromAttributes(ownAttributes(version))
  return own.merge(detectResources({ detectors: [envDetector] }))
}
