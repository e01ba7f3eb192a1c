"""Conversational Analytics: the messages of its conversations, and the answers in them.

The message classes are those of ``turnwire_schema.geminidataanalytics.v1``. `Answer.collect` puts
the answer of a whole turn together; the functions read one message.

>>> from turnwire import geminidataanalytics as gda
>>> final = gda.TextMessage.FINAL_RESPONSE
>>> text = gda.TextMessage(parts=["Harbour leads ", "with 77 rides."], text_type=final)
>>> stream = [gda.Message(system_message=gda.SystemMessage(text=text))]
>>> gda.Answer.collect(stream).text
'Harbour leads with 77 rides.'
"""

from turnwire_schema.geminidataanalytics.v1.analysis_pb2 import (
    AnalysisEvent,
    AnalysisMessage,
    AnalysisQuery,
)
from turnwire_schema.geminidataanalytics.v1.chart_pb2 import (
    Blob,
    ChartMessage,
    ChartQuery,
    ChartResult,
)
from turnwire_schema.geminidataanalytics.v1.chat_pb2 import (
    ChatRequest,
    ClientManagedResourceContext,
    ConversationReference,
    DataAgentContext,
)
from turnwire_schema.geminidataanalytics.v1.citation_pb2 import (
    Citation,
    CitationAnchor,
    CitationSource,
)
from turnwire_schema.geminidataanalytics.v1.clarification_pb2 import (
    ClarificationMessage,
    ClarificationQuestion,
)
from turnwire_schema.geminidataanalytics.v1.context_pb2 import (
    BigQueryRoutine,
    BigQueryRoutineReference,
    Context,
    UserFunctions,
)
from turnwire_schema.geminidataanalytics.v1.conversation_options_pb2 import (
    AnalysisOptions,
    ChartOptions,
    ConversationOptions,
    DatasourceOptions,
)
from turnwire_schema.geminidataanalytics.v1.credentials_pb2 import Credentials, OAuthCredentials
from turnwire_schema.geminidataanalytics.v1.data_pb2 import (
    BigQueryJob,
    DataMessage,
    DataQuery,
    DataResult,
    MatchedQuery,
    QueryParameterValues,
)
from turnwire_schema.geminidataanalytics.v1.database_reference_pb2 import (
    AgentContextReference,
    AlloyDbDatabaseReference,
    AlloyDbReference,
    BigtableDatabaseReference,
    BigtableReference,
    CloudSqlDatabaseReference,
    CloudSqlReference,
    DatabaseTableReference,
    FirestoreDatabaseReference,
    FirestoreReference,
    SpannerDatabaseReference,
    SpannerReference,
)
from turnwire_schema.geminidataanalytics.v1.datasource_pb2 import (
    BigQueryPropertyGraphReference,
    BigQueryTableReference,
    BigQueryTableReferences,
    Datasource,
    DatasourceReferences,
    StudioDatasourceReference,
    StudioDatasourceReferences,
)
from turnwire_schema.geminidataanalytics.v1.example_query_pb2 import (
    ExampleQueries,
    ExampleQuery,
    GlossaryTerm,
    QueryParameter,
)
from turnwire_schema.geminidataanalytics.v1.looker_pb2 import (
    DynamicField,
    LookerExploreReference,
    LookerExploreReferences,
    LookerGoldenQuery,
    LookerQuery,
    LookerSettings,
    PrivateLookerInstanceInfo,
)
from turnwire_schema.geminidataanalytics.v1.message_pb2 import (
    ErrorMessage,
    Message,
    SystemMessage,
    UserMessage,
)
from turnwire_schema.geminidataanalytics.v1.query_data_pb2 import (
    ExecutedQueryResult,
    GenerationOptions,
    ParameterizedSecureViewParameters,
    QueryDataContext,
    QueryDataRequest,
    QueryDataResponse,
    TokenUsage,
)
from turnwire_schema.geminidataanalytics.v1.schema_message_pb2 import (
    SchemaMessage,
    SchemaQuery,
    SchemaResult,
)
from turnwire_schema.geminidataanalytics.v1.schema_pb2 import (
    DataFilter,
    DataFilterType,
    Field,
    Schema,
)
from turnwire_schema.geminidataanalytics.v1.storage_pb2 import ListMessagesResponse, StorageMessage
from turnwire_schema.geminidataanalytics.v1.text_pb2 import TextMessage

from turnwire._media import ImageSize, image_size_of, save, suffix_of
from turnwire.geminidataanalytics._answer import Answer
from turnwire.geminidataanalytics._arrow_table import TableColumn
from turnwire.geminidataanalytics._builder import AnswerBuilder, answers_of
from turnwire.geminidataanalytics._charts import Chart, vega_spec_of
from turnwire.geminidataanalytics._citations import CitedText, citations_of
from turnwire.geminidataanalytics._datasources import ChosenDatasource
from turnwire.geminidataanalytics._history import history_of
from turnwire.geminidataanalytics._looker import looker_url_of
from turnwire.geminidataanalytics._messages import Messages
from turnwire.geminidataanalytics._requests import ChatContext, chat_request, user_message
from turnwire.geminidataanalytics._rows import columns_of, formatted_rows_of, rows_of
from turnwire.geminidataanalytics._steps import Group, Step, groups_of
from turnwire.geminidataanalytics._tables import Table
from turnwire.geminidataanalytics._text import text_of

__all__ = [
    "AgentContextReference",
    "AlloyDbDatabaseReference",
    "AlloyDbReference",
    "AnalysisEvent",
    "AnalysisMessage",
    "AnalysisOptions",
    "AnalysisQuery",
    "Answer",
    "AnswerBuilder",
    "BigQueryJob",
    "BigQueryPropertyGraphReference",
    "BigQueryRoutine",
    "BigQueryRoutineReference",
    "BigQueryTableReference",
    "BigQueryTableReferences",
    "BigtableDatabaseReference",
    "BigtableReference",
    "Blob",
    "Chart",
    "ChartMessage",
    "ChartOptions",
    "ChartQuery",
    "ChartResult",
    "ChatContext",
    "ChatRequest",
    "ChosenDatasource",
    "Citation",
    "CitationAnchor",
    "CitationSource",
    "CitedText",
    "ClarificationMessage",
    "ClarificationQuestion",
    "ClientManagedResourceContext",
    "CloudSqlDatabaseReference",
    "CloudSqlReference",
    "Context",
    "ConversationOptions",
    "ConversationReference",
    "Credentials",
    "DataAgentContext",
    "DataFilter",
    "DataFilterType",
    "DataMessage",
    "DataQuery",
    "DataResult",
    "DatabaseTableReference",
    "Datasource",
    "DatasourceOptions",
    "DatasourceReferences",
    "DynamicField",
    "ErrorMessage",
    "ExampleQueries",
    "ExampleQuery",
    "ExecutedQueryResult",
    "Field",
    "FirestoreDatabaseReference",
    "FirestoreReference",
    "GenerationOptions",
    "GlossaryTerm",
    "Group",
    "ImageSize",
    "ListMessagesResponse",
    "LookerExploreReference",
    "LookerExploreReferences",
    "LookerGoldenQuery",
    "LookerQuery",
    "LookerSettings",
    "MatchedQuery",
    "Message",
    "Messages",
    "OAuthCredentials",
    "ParameterizedSecureViewParameters",
    "PrivateLookerInstanceInfo",
    "QueryDataContext",
    "QueryDataRequest",
    "QueryDataResponse",
    "QueryParameter",
    "QueryParameterValues",
    "Schema",
    "SchemaMessage",
    "SchemaQuery",
    "SchemaResult",
    "SpannerDatabaseReference",
    "SpannerReference",
    "Step",
    "StorageMessage",
    "StudioDatasourceReference",
    "StudioDatasourceReferences",
    "SystemMessage",
    "Table",
    "TableColumn",
    "TextMessage",
    "TokenUsage",
    "UserFunctions",
    "UserMessage",
    "answers_of",
    "chat_request",
    "citations_of",
    "columns_of",
    "formatted_rows_of",
    "groups_of",
    "history_of",
    "image_size_of",
    "looker_url_of",
    "rows_of",
    "save",
    "suffix_of",
    "text_of",
    "user_message",
    "vega_spec_of",
]
