import { hostname } from 'node:os'

import type { Resource } from '@opentelemetry/resources'

/** The name of the service unless the environment has another. */
const product = 'dragoman'

/**
 * The resource of what this process pushes by OTLP. `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` prevail.
 * Loads the package only when it is called.
 */
export async function createResource(version: string): Promise<Resource> {
  const { detectResources, envDetector, resourceFromAttributes } =
    await import('@opentelemetry/resources')
  const own = resourceFromAttributes({
    'service.name': product,
    'service.version': version,
    'service.instance.id': `${hostname()}-${process.pid}`,
  })
  return own.merge(detectResources({ detectors: [envDetector] }))
}
