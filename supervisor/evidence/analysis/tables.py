"""What the methods and classes of data libraries do to data, as far as a fault depends on it.

pandas, polars, dplyr and SQL share most of these words. A method that is not listed hands on what was done before.
"""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ALIASES = {"np": "numpy", "pd": "pandas", "pl": "polars", "plt": "matplotlib.pyplot", "sns": "seaborn"}
ALIASES |= {"sm": "statsmodels.api", "stats": "scipy.stats"}

READERS = words("scan_csv scan_parquet scan_ndjson open_dataset load_dataset from_csv fread fetchall fetch_df")
READERS |= words("fetch_openml fetch_dataframe query_to_df to_pandas vroom fetch_california_housing load_breast_cancer")
READERS |= words("load_diabetes load_wine load_iris loadtxt genfromtxt gspread get_all_records")
MAKERS = words("DataFrame Series array asarray tibble data_frame LazyFrame from_dict from_records")
WRITERS = words("to_csv to_parquet to_excel to_json to_feather to_pickle to_sql write_csv write_parquet write_excel")
WRITERS |= words("write_json savetxt saveRDS fwrite to_gbq sink_parquet sink_csv write_database savefig write_table")

# Figures that speak about all rows of a column.
AVERAGES = words("mean median average nanmean nanmedian")
TOTALS = words("sum count nunique n_unique cumsum total nansum value_counts len n_distinct n add_total")
SPREADS = words("std var corr corrwith cov quantile describe sem skew kurt min max mode std_dev cor sd")
AGGREGATES = AVERAGES | TOTALS | SPREADS
LOOKS_AT_MISSING = words("isna isnull notna notnull null_count is_null is_not_null info duplicated missingno anti_join")
LOOKS_AT_MISSING |= words("isnan count_nulls drop_nans_count is_na complete_cases")
LOOKS_AT_ROWS = words("len shape nrow size count height n_rows info describe")

TELLS_ROWS = words(
    "to_string to_json to_dict to_markdown to_csv to_html iterrows itertuples to_dicts write_csv to_records"
)
TELLS_ROWS |= words("write_json")
LOADS = words("to_sql to_gbq copy_from copy_expert load_table_from_dataframe load_table_from_uri bulk_insert_mappings")
LOADS |= words(
    "insert_many executemany upsert saveAsTable insertInto write_table bulk_create insert_rows_json bulk_write"
)
LOADS |= words("load_table_from_file insert_rows write_pandas copy_records_to_table copy_to_table")
PRODUCED = words("group_sum group_mean group_count group_size pivoted")

SPLITTERS = words("train_test_split random_split initial_split split_train_test train_valid_test_split")
FOLDS = words(
    "KFold StratifiedKFold RepeatedKFold RepeatedStratifiedKFold ShuffleSplit StratifiedShuffleSplit LeaveOneOut"
)
GROUP_FOLDS = words("GroupKFold StratifiedGroupKFold GroupShuffleSplit LeaveOneGroupOut LeavePGroupsOut")
TIME_FOLDS = words("TimeSeriesSplit PurgedKFold BlockingTimeSeriesSplit")
CROSS = words("cross_val_score cross_validate cross_val_predict learning_curve validation_curve permutation_test_score")
SEARCHES = words("GridSearchCV RandomizedSearchCV HalvingGridSearchCV HalvingRandomSearchCV BayesSearchCV RFECV")

# Classes that learn from all rows that they are fitted on. An encoder of labels learns no more than their names.
LEARNS: tuple[str, ...] = (
    "Scaler",
    "Imputer",
    "PCA",
    "TruncatedSVD",
    "NMF",
    "PowerTransformer",
    "QuantileTransformer",
    "TfidfVectorizer",
)
LEARNS += ("TargetEncoder", "KBinsDiscretizer", "FactorAnalysis", "FastICA", "UMAP", "WOEEncoder", "LeaveOneOutEncoder")
SELECTS: tuple[str, ...] = (
    "SelectKBest",
    "SelectPercentile",
    "SelectFromModel",
    "RFE",
    "RFECV",
    "SelectFdr",
    "SelectFpr",
    "SelectFwe",
)
SELECTS += (
    "BorutaPy",
    "SequentialFeatureSelector",
    "LinearDiscriminantAnalysis",
    "PLSRegression",
    "GenericUnivariateSelect",
)
COPIES: tuple[str, ...] = (
    "SMOTE",
    "SMOTENC",
    "SMOTEN",
    "SVMSMOTE",
    "KMeansSMOTE",
    "BorderlineSMOTE",
    "ADASYN",
    "RandomOverSampler",
)
COPIES += ("SMOTEENN", "SMOTETomek", "ROSE")
THINS = ("RandomUnderSampler", "NearMiss", "TomekLinks", "ClusterCentroids", "EditedNearestNeighbours")
NO_MODELS = words("Pipeline ColumnTransformer FeatureUnion make_pipeline make_column_transformer Normalizer")

METRICS = words("accuracy_score f1_score precision_score recall_score roc_auc_score mean_squared_error r2_score")
METRICS |= words("mean_absolute_error log_loss balanced_accuracy_score average_precision_score matthews_corrcoef")
METRICS |= words("classification_report confusion_matrix root_mean_squared_error mean_absolute_percentage_error auc")
METRICS |= words("cohen_kappa_score brier_score_loss precision_recall_curve roc_curve fbeta_score score evaluate")
CURVES = words("roc_curve precision_recall_curve")
PREDICTS = words("predict predict_proba decision_function")
CHOOSES = words(
    "max min argmax argmin idxmax idxmin nlargest nsmallest sorted sort_values best_params_ arg_max arg_min"
)

TESTS = words("ttest_ind ttest_rel ttest_1samp mannwhitneyu wilcoxon kruskal f_oneway chi2_contingency pearsonr")
TESTS |= words("spearmanr kendalltau ks_2samp fisher_exact proportions_ztest ztest binomtest chisquare linregress")
TESTS |= words("t_test wilcox_test chisq_test cor_test fisher_test prop_test aov kruskal_test binom_test welch_ttest")
TESTS |= words(
    "ttest_ind_from_stats median_test brunnermunzel ansari friedmanchisquare cramervonmises_2samp logrank_test"
)
TESTS |= words(
    "permutation_test anderson_ksamp ranksums mood bartlett levene ttest epps_singleton_2samp power_divergence"
)
CORRECTS = words("multipletests fdrcorrection p_adjust false_discovery_control pairwise_tukeyhsd tukey_hsd TukeyHSD")
CORRECTS |= words("multicomp padjust posthoc_dunn pairwise_ttests pairwise_tests MultiComparison dunnett multicomp")

RANDOM = words(
    "normal rand randn randint uniform random random_sample poisson exponential beta gamma binomial lognormal "
    "standard_normal integers choice choices gauss randrange betavariate normalvariate triangular expovariate "
    "lognormvariate gammavariate multivariate_normal dirichlet multinomial geometric pareto weibull laplace logistic "
    "rnorm runif rbinom rpois rexp random_integers standard_t sample"
)
FOLLOWS_TIME = words("shift diff rolling pct_change lag ewm expanding rolling_mean shift_and_fill rolling_sum")
WINDOWS = words("rolling ewm expanding")
KEEPS_ROWS = FOLLOWS_TIME | words("cumcount transform rank ngroup cummax cummin over")
KEEPS_COLUMNS = words("reset_index astype query replace interpolate bfill ffill clip round sort_index where mask infer")
KEEPS_COLUMNS |= words(
    "shuffle permutation collect lazy clone with_columns to_numpy sample_weight compute persist toPandas"
)
