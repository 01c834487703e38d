import { hostname } from 'node:os';
import {
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind,
  trace,
  TraceFlags,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  RandomIdGenerator,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { RELEASE } from '../config/release.ts';

/**
 * The export of spans by OpenTelemetry's protocol, OTLP over HTTP. A server that traces nothing
 * does not load it.
 */

/** The time that a collector has for an answer. A server that ends waits no longer than this. */
const EXPORTED_WITHIN_MS = 3_000;
const ATTRIBUTE_LENGTH_MAX = 200;

/** A running export. */
export interface Traces {
  readonly tracer: Tracer;
  /**
   * Begins the span of a request.
   * @param traceId 32 hexadecimal digits, which decide whether the request is among those recorded
   * @param parentId the client's span; `undefined` if the trace begins here
   */
  readonly begin: (name: string, traceId: string, parentId: string | undefined) => Span;
  /** Sends the remaining spans, and ends. */
  readonly end: () => Promise<void>;
}

/**
 * Starts to export spans. If a collector does not answer, only spans are lost: at most 2,048 wait.
 * @param url the address of the collector's traces, such as http://127.0.0.1:4318/v1/traces
 * @param percent the share of the requests that are traced
 * @param warn receives the problems
 */
export function startTraces(url: string, percent: number, warn: (problem: string) => void): Traces {
  const report = (message: string) => {
    warn(message);
  };
  const silent = () => undefined;
  diag.setLogger(
    { error: report, warn: report, info: silent, debug: silent, verbose: silent },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: EXPORTED_WITHIN_MS });
  const ids = new RandomIdGenerator();
  let traceId = '';
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'social-e-library',
      'service.version': RELEASE,
      'host.name': hostname(),
    }),
    // A client can choose a name of any length for its operation.
    spanLimits: { attributeValueLengthLimit: ATTRIBUTE_LENGTH_MAX },
    sampler: new TraceIdRatioBasedSampler(percent / 100),
    // Spans without a parent are begun only by `begin`, and their trace has the id of their
    // request.
    idGenerator: { generateTraceId: () => traceId, generateSpanId: () => ids.generateSpanId() },
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: EXPORTED_WITHIN_MS })],
  });
  const tracer = provider.getTracer('social-e-library', RELEASE);
  return {
    tracer,
    begin: (name, id, parentId) => {
      traceId = id;
      const client = { traceId, spanId: parentId ?? '', traceFlags: TraceFlags.NONE, isRemote: true };
      const parent = parentId === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, client);
      return tracer.startSpan(name, { kind: SpanKind.SERVER }, parent);
    },
    end: () => provider.shutdown(),
  };
}
