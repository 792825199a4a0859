import { deployments } from './places.ts'
import { operatorStories } from './story.ts'

operatorStories([deployments.file, deployments.replicas])
